#!/usr/bin/env bash
# expand.sh FOLDER: puts the text of parts/NAME.hpp in the place of #include "parts/NAME.hpp" in the
# files of FOLDER. A part may include another one whose name comes later in the alphabet.
set -euo pipefail
export LC_ALL=C # the order of the alphabet
for part in "$(dirname "$(realpath "${BASH_SOURCE[0]}")")"/parts/*.hpp; do
    find "$1" -type f -exec sed -i -e "/^#include \"parts\/${part##*/}\"/{r $part" -e 'd}' {} +
done
