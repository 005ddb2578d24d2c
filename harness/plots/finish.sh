#!/usr/bin/env bash
# finish.sh FILE...: SVG files get dark.xml, below the tag <svg …>.
set -euo pipefail

for file in "$@"; do
    [[ $file != *.svg ]] || sed -i "/^>\$/r $(dirname "$0")/dark.xml" "$file"
done
