#!/bin/sh
# Generates the two font files: see README.md.
set -eu
cd "$(dirname "$0")"
source=node_modules/@fontsource/young-serif
# Printable ASCII and typographic quotes, dashes and signs: 11 kB instead of 27 kB. Hinting
# matters only on displays of low resolution. The Open Font License requires the licence entries
# of the name table (IDs 13 and 14), which --name-IDs="*" keeps.
pyftsubset "$source/files/young-serif-latin-400-normal.woff2" \
  --unicodes="U+0020-007E,U+00A0,U+00A9,U+00B7,U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2026" \
  --layout-features=kern,liga,lnum --no-hinting --name-IDs="*" --flavor=woff2 \
  --output-file=../src/art/young-serif.woff2
cp "$source/LICENSE" ../src/art/young-serif.OFL.txt
