# The contact sheet of pictures.py: OUT_DIR/NAME.png for each NAME, three to a row, with their names
# above, as OUT_DIR/before-after.png. Called as
#
#     gnuplot -e "PLOTS = 'driver/plots'" -c lab1-convolution/plots/pictures.gp \
#         OUT_DIR WIDTH HEIGHT "NAME …"
#
# The pictures, WIDTH x HEIGHT pixels each, are shown pixel for pixel: an edge filter's lines are a
# pixel or two wide, and any scaling would change what it shows.

OUT_DIR = ARG1
WIDTH = ARG2 + 0
HEIGHT = ARG3 + 0
NAMES = ARG4
load PLOTS."/sheet.gp"

COLUMNS = 3
ROWS = (words(NAMES) + COLUMNS - 1) / COLUMNS

sheet_width = COLUMNS * (WIDTH + GAP) + GAP
sheet_height = ROWS * (TITLE + HEIGHT + GAP)
left(i) = GAP + (i - 1) % COLUMNS * (WIDTH + GAP)
bottom(i) = sheet_height - ((i - 1) / COLUMNS + 1) * (TITLE + HEIGHT + GAP) + GAP

eval open_sheet(sheet_width, sheet_height)
do for [i=1:words(NAMES)] {
    name = word(NAMES, i)
    set label (name eq "identity" ? "identity: the original" : name) \
        at left(i), bottom(i) + HEIGHT + TITLE / 2 left
}
plot for [i=1:words(NAMES)] OUT_DIR."/".word(NAMES, i).".png" binary filetype=png \
    origin=(left(i) + 0.5, bottom(i) + 0.5) dx=1 dy=1 with rgbimage
unset output
