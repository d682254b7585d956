#!/bin/sh
# Generates the two font files: see README.md.
set -eu
cd "$(dirname "$0")"
source=node_modules/@expo-google-fonts/young-serif

# subset NAME UNICODES
# Hinting matters only on displays of low resolution. The Open Font License requires the licence entries of the name table
# (IDs 13 and 14), which --name-IDs="*" keeps.
subset() {
  pyftsubset "$source/400Regular/YoungSerif_400Regular.ttf" --unicodes="$2" \
    --layout-features=kern,liga,lnum --no-hinting --name-IDs="*" --flavor=woff2 --output-file="../src/art/$1.woff2"
}

# Printable ASCII and typographic quotes, dashes and signs: what the pages need.
subset young-serif "U+0020-007E,U+00A0,U+00A9,U+00B7,U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2026"
# The rest of Latin-1 and Latin Extended-A: for a product name and for translations, loaded only then (font.css).
subset young-serif-accents "U+00A1-017F"
cp "$source/LICENSE_FONT" ../src/art/young-serif.OFL.txt
