#!/usr/bin/env bash
# finish.sh FILE...: SVG files get dark.xml, below the tag <svg …>. PDF files get a fixed date, or
# the same data would give another file each time: Cairo 1.16 does not heed SOURCE_DATE_EPOCH. The
# date is overwritten, not removed, because the PDF's table of contents counts bytes.
set -euo pipefail

for file in "$@"; do
    case $file in
        *.svg) sed -i "/^>\$/r $(dirname "$0")/dark.xml" "$file" ;;
        *.pdf) LC_ALL=C sed -i 's/CreationDate (D:[0-9]*/CreationDate (D:19700101000000/' "$file" ;;
    esac
done
