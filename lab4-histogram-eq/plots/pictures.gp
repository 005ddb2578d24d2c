# The contact sheet of pictures.sh, OUT_DIR/before-after.png: for each NAME, OUT_DIR/NAME-before.png
# and OUT_DIR/NAME-after.png beside each other, two NAMEs to a row, each picture with its histogram
# and CDF below it. Called as
#
#     gnuplot -c lab4-histogram-eq/plots/pictures.gp OUT_DIR WIDTH HEIGHT "NAME …"
#
# The pictures, WIDTH x HEIGHT pixels each, are shown pixel for pixel.

OUT_DIR = ARG1
PICTURE_WIDTH = ARG2 + 0
PICTURE_HEIGHT = ARG3 + 0
NAMES = ARG4
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"
load HERE."/../../common/plots/sheet.gp"
load HERE."/equalizing.gp"

COLUMNS = 4   # two NAMEs, before and after
N = 2 * words(NAMES)
HIST = 64     # pixels of a histogram's height, which its greatest count and the CDF's end have
APART = 6     # pixels between it and the picture

sheet_width = COLUMNS * (PICTURE_WIDTH + GAP) + GAP
cell_height = TITLE + PICTURE_HEIGHT + APART + HIST + GAP
sheet_height = (N + COLUMNS - 1) / COLUMNS * cell_height
left(i) = GAP + (i - 1) % COLUMNS * (PICTURE_WIDTH + GAP)
bottom(i) = sheet_height - ((i - 1) / COLUMNS + 1) * cell_height + GAP   # of the histogram
name(i) = word(NAMES, (i + 1) / 2)
is_before(i) = i % 2
png(i) = OUT_DIR."/".name(i).(is_before(i) ? "-before" : "-after").".png"

# Levels as columns in the sheet's pixels; a blank line ends a picture, and with it the CDF's line.
HISTOGRAMS = "x,floor,top,cdf"
do for [i=1:N] {
    eval count_levels(png(i))
    sum_so_far = 0
    do for [k=1:256] {
        sum_so_far = sum_so_far + count[k]
        HISTOGRAMS = HISTOGRAMS.sprintf("\n%g,%g,%g,%g", \
            left(i) + (k - 0.5) * PICTURE_WIDTH / 256., bottom(i), \
            bottom(i) + 1. * HIST * count[k] / MOST, \
            bottom(i) + 1. * HIST * sum_so_far / PIXELS)
    }
    HISTOGRAMS = HISTOGRAMS."\n"
}
set print $HISTOGRAMS
print HISTOGRAMS
unset print

eval open_sheet(sheet_width, sheet_height)
set palette gray
set cbrange [0:255]
do for [i=1:N] {
    set label (is_before(i) ? name(i) : "equalized") \
        at left(i), bottom(i) + HIST + APART + PICTURE_HEIGHT + TITLE / 2 left
    set object rectangle from left(i), bottom(i) to left(i) + PICTURE_WIDTH, bottom(i) + HIST \
        behind fillstyle solid 1 noborder fillcolor rgb "#f0f0f0"
}
half = PICTURE_WIDTH / 512.
plot for [i=1:N] png(i) binary filetype=png \
         origin=(left(i) + 0.5, bottom(i) + HIST + APART + 0.5) dx=1 dy=1 using 1 with image, \
     $HISTOGRAMS using "x":"floor":(column("x") - half):(column("x") + half):"floor":"top" \
         with boxxyerror fillstyle solid 1 noborder linecolor rgb DARK, \
     "" using "x":"cdf" with lines linecolor rgb "#e69f00" dashtype 1 linewidth 1.5
unset output
