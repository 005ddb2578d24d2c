# The second sheet of pictures.py, OUT_DIR/before-after-pairs.png: a cut of four scenes before and
# after upscaling, like the four pairs of the original report (003). Called as
#
#     gnuplot -e "PLOTS = 'driver/plots'" -c lab3-gaussian-upscale/plots/pairs.gp \
#         OUT_DIR PICTURES_DIR WIDTH HEIGHT "NAME:X:Y …"
#
# PICTURES_DIR/NAME-before.png and -after.png are WIDTH x HEIGHT pixels. X and Y are where the cut
# begins, from the top left. Pixels are drawn as squares of whole pixels, so that the sheet adds no
# interpolation to theirs.

OUT_DIR = ARG1; PICTURES_DIR = ARG2; WIDTH = ARG3 + 0; HEIGHT = ARG4 + 0; CUTS = ARG5
SHEET = "before-after-pairs"
load PLOTS."/sheet.gp"
CUT_WIDTH = 104; CUT_HEIGHT = 60; ENLARGED = 4

N = 2 * words(CUTS)
field(i, k) = system(sprintf("echo '%s' | cut -d: -f%d", word(CUTS, (i + 1) / 2), k))
before(i) = i % 2
png(i) = PICTURES_DIR."/".field(i, 1).(before(i) ? "-before" : "-after").".png"
array x_[N]
array y_[N]
do for [i=1:N] { x_[i] = field(i, 2) + 0; y_[i] = field(i, 3) + 0 }
left(i) = GAP + (i - 1) % 2 * (ENLARGED * CUT_WIDTH + GAP)
row_height = ENLARGED * CUT_HEIGHT + TITLE + GAP
bottom(i) = GAP + (N / 2 - (i + 1) / 2) * row_height

eval open_sheet(2 * (ENLARGED * CUT_WIDTH + GAP) + GAP, N / 2 * row_height + GAP)
do for [i=1:N] {
    set label (before(i) ? sprintf("%s: %d x %d pixels, each shown as four", field(i, 1), \
        CUT_WIDTH / 2, CUT_HEIGHT / 2) : sprintf("Gaussian: %d x %d pixels", CUT_WIDTH, \
        CUT_HEIGHT)) at left(i), bottom(i) + ENLARGED * CUT_HEIGHT + TITLE / 2 left
}
# `every` counts rows from the top, and leaves pixels where they are in the whole picture.
plot for [i=1:N] png(i) binary filetype=png dx=ENLARGED dy=ENLARGED \
         origin=(left(i) - ENLARGED * (x_[i] - 0.5), \
                 bottom(i) - ENLARGED * (HEIGHT - y_[i] - CUT_HEIGHT - 0.5)) \
         every ::x_[i]:y_[i]:x_[i] + CUT_WIDTH - 1:y_[i] + CUT_HEIGHT - 1 with rgbimage
unset output
