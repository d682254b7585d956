#!/bin/sh
# Cuts Young Serif down to what titles are written with: printable ASCII and the typographer's
# quotes, dashes and signs. 27 kB become 11; hints go, since screens that need them are gone.
#   cd ui/src/art/studio && npm install && pip install fonttools==4.68.0 brotli && sh subset-font.sh
# The name table keeps the licence (name IDs 13 and 14), which the OFL asks for.
set -eu
pyftsubset node_modules/@fontsource/young-serif/files/young-serif-latin-400-normal.woff2 \
  --unicodes="U+0020-007E,U+00A0,U+00A9,U+00B7,U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2026" \
  --layout-features=kern,liga,lnum --no-hinting --name-IDs="*" --flavor=woff2 \
  --output-file=../young-serif.woff2
cp node_modules/@fontsource/young-serif/LICENSE ../young-serif.OFL.txt
