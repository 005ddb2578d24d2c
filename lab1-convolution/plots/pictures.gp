# The contact sheet of pictures.sh: OUT_DIR/NAME.png for each NAME, three to a row, with their names
# above, as OUT_DIR/before-after.png. Called as
#
#     gnuplot -c lab1-convolution/plots/pictures.gp OUT_DIR WIDTH HEIGHT "NAME …"
#
# The pictures, WIDTH x HEIGHT pixels each, are shown pixel for pixel: an edge filter's lines are a
# pixel or two wide, and any scaling would change what it shows.

OUT_DIR = ARG1
WIDTH = ARG2 + 0
HEIGHT = ARG3 + 0
NAMES = ARG4

COLUMNS = 3
ROWS = (words(NAMES) + COLUMNS - 1) / COLUMNS
GAP = 12     # pixels beside and below a picture
TITLE = 28   # pixels above it, for its name

sheet_width = COLUMNS * (WIDTH + GAP) + GAP
sheet_height = ROWS * (TITLE + HEIGHT + GAP)

# Debian's gnuplot writes PNG through Cairo and gd; either does.
if (strstrt(GPVAL_TERMINALS, "pngcairo")) {
    set terminal pngcairo size sheet_width, sheet_height noenhanced font "Arial,13" \
        background rgb "white"
} else {
    set terminal png truecolor size sheet_width, sheet_height noenhanced font "Arial,13" \
        background rgb "white"
}
set output OUT_DIR."/before-after.png"
unset border
unset tics
unset key
unset colorbox

# The whole sheet is one plot; its coordinates are the sheet's pixels, from the bottom left.
set margins 0, 0, 0, 0
set xrange [0 : sheet_width]
set yrange [0 : sheet_height]
left(i) = GAP + (i - 1) % COLUMNS * (WIDTH + GAP)
bottom(i) = sheet_height - ((i - 1) / COLUMNS + 1) * (TITLE + HEIGHT + GAP) + GAP
do for [i=1:words(NAMES)] {
    name = word(NAMES, i)
    set label (name eq "identity" ? "identity: the original" : name) \
        at left(i), bottom(i) + HEIGHT + TITLE / 2 left
}
plot for [i=1:words(NAMES)] OUT_DIR."/".word(NAMES, i).".png" binary filetype=png \
    origin=(left(i) + 0.5, bottom(i) + 0.5) dx=1 dy=1 with rgbimage
unset output
