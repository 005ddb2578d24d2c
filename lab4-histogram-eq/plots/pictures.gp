# The contact sheet of pictures.sh, OUT_DIR/before-after.png: for each LABEL:SIZE:SCENE,
# PICTURES_DIR/LABEL-SIZE-before.png and -after.png beside each other, two of them to a row, each
# picture with its histogram and CDF below it. Called as
#
#     gnuplot -c lab4-histogram-eq/plots/pictures.gp OUT_DIR PICTURES_DIR "LABEL:SIZE:SCENE …"
#
# Of a picture larger than a cell, every n-th pixel of every n-th row is shown and counted. A mean of
# n x n pixels would have levels that the picture has not.

OUT_DIR = ARG1
PICTURES_DIR = ARG2
PICTURES = ARG3
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"
load HERE."/../../common/plots/sheet.gp"
load HERE."/equalizing.gp"

COLUMNS = 4   # two pictures, before and after
N = 2 * words(PICTURES)
ROWS = (N + COLUMNS - 1) / COLUMNS
CELL = 256    # pixels, the longer side of a picture; a level of the histograms is a pixel wide
HIST = 64     # pixels of a histogram's height, which its greatest count and the CDF's end have
APART = 6     # pixels between it and the picture

field(i, k) = system(sprintf("echo '%s' | cut -d: -f%d", word(PICTURES, (i + 1) / 2), k))
is_before(i) = i % 2
array label[N]
array png[N]
array step[N]
array height_[N]
do for [i=1:N] {
    label[i] = field(i, 1)." ".field(i, 2)
    w = word(replaced(field(i, 2), "x", " "), 1) + 0
    h = word(replaced(field(i, 2), "x", " "), 2) + 0
    png[i] = sprintf("%s/%s-%s-%s.png", PICTURES_DIR, field(i, 1), field(i, 2), \
        is_before(i) ? "before" : "after")
    step[i] = ceil(1. * larger(w, h) / CELL)
    height_[i] = (h + step[i] - 1) / step[i]
}
highest(row) = (m_ = 0, sum [i=1:N] (row_of(i) == row ? (m_ = larger(height_[i], m_), 0) : 0), m_)
row_of(i) = (i - 1) / COLUMNS + 1
cell_height(row) = TITLE + highest(row) + APART + HIST + GAP
sheet_width = COLUMNS * (CELL + GAP) + GAP
sheet_height = sum [row=1:ROWS] cell_height(row)
left(i) = GAP + (i - 1) % COLUMNS * (CELL + GAP)
top(i) = sheet_height - (row_of(i) == 1 ? 0 : sum [row=1:row_of(i)-1] cell_height(row)) - TITLE
bottom(i) = top(i) - highest(row_of(i)) - APART - HIST   # of the histogram

# Levels as columns in the sheet's pixels; a blank line ends a picture, and with it the CDF's line.
every(i) = sprintf("every %d:%d", step[i], step[i])
HISTOGRAMS = "x,floor,top,cdf"
do for [i=1:N] {
    eval replaced(count_levels(png[i]), "filetype=png", "filetype=png ".every(i))
    sum_so_far = 0
    do for [k=1:256] {
        sum_so_far = sum_so_far + count[k]
        HISTOGRAMS = HISTOGRAMS.sprintf("\n%g,%g,%g,%g", \
            left(i) + (k - 0.5) * CELL / 256., bottom(i), \
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
    set label (is_before(i) ? label[i]." (".field(i, 3).")" : "equalized") \
        at left(i), top(i) + TITLE / 2 left
    set object rectangle from left(i), bottom(i) to left(i) + CELL, bottom(i) + HIST \
        behind fillstyle solid 1 noborder fillcolor rgb "#f0f0f0"
}
half = CELL / 512.
plot for [i=1:N] png[i] binary filetype=png \
         origin=(left(i) + 0.5, top(i) - height_[i] + 0.5) dx=1./step[i] dy=1./step[i] \
         every step[i]:step[i] using 1 with image, \
     $HISTOGRAMS using "x":"floor":(column("x") - half):(column("x") + half):"floor":"top" \
         with boxxyerror fillstyle solid 1 noborder linecolor rgb DARK, \
     "" using "x":"cdf" with lines linecolor rgb "#e69f00" dashtype 1 linewidth 1.5
unset output
