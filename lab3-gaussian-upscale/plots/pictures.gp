# The contact sheet of pictures.py, OUT_DIR/before-after.png: of OUT_DIR/NAME.png for each NAME, the
# first two whole, and below them a cut of each. The pictures are WIDTH x HEIGHT pixels. Called as
#
#     gnuplot -e "PLOTS = 'driver/plots'" -c lab3-gaussian-upscale/plots/pictures.gp \
#         OUT_DIR WIDTH HEIGHT "NAME …"
#
# Every pixel is drawn as a square of whole pixels, so that the sheet adds no interpolation.
OUT_DIR = ARG1; WIDTH = ARG2 + 0; HEIGHT = ARG3 + 0; NAMES = ARG4
load PLOTS."/sheet.gp"
# The cut, in pixels of the pictures from their top left: the house in the landscape, with edges,
# small windows and grass around it.
CUT_X = 108; CUT_Y = 202; CUT_WIDTH = 104; CUT_HEIGHT = 76; ENLARGED = 4

N = words(NAMES)
sheet_width = 2 * (WIDTH + GAP) + GAP
sheet_height = 2 * (TITLE + GAP) + HEIGHT + ENLARGED * CUT_HEIGHT
left(i) = GAP + (i - 1) * (WIDTH + GAP)
bottom = sheet_height - TITLE - HEIGHT
# The cuts are spread over the width of the sheet.
cut_left(i) = GAP + (i - 1) * (sheet_width - 2 * GAP - ENLARGED * CUT_WIDTH) / (N - 1)

eval open_sheet(sheet_width, sheet_height)
do for [i=1:2] {
    set label sprintf("%s: %d x %d pixels%s", word(NAMES, i), WIDTH / (3 - i), HEIGHT / (3 - i), \
        i == 1 ? ", each shown as four" : "") at left(i), bottom + HEIGHT + TITLE / 2 left
    set object i rectangle front fillstyle empty border linecolor rgb "#e69f00" linewidth 2 \
        from left(i) + CUT_X, bottom + HEIGHT - CUT_Y - CUT_HEIGHT rto CUT_WIDTH, CUT_HEIGHT
}
do for [i=1:N] {
    set label word(NAMES, i).", the cut" \
        at cut_left(i), GAP + ENLARGED * CUT_HEIGHT + TITLE / 2 left
}
# `every` counts rows from the top, and leaves pixels where they are in the whole picture.
plot for [i=1:2] OUT_DIR."/".word(NAMES, i).".png" binary filetype=png \
         origin=(left(i) + 0.5, bottom + 0.5) dx=1 dy=1 with rgbimage, \
     for [i=1:N] OUT_DIR."/".word(NAMES, i).".png" binary filetype=png dx=ENLARGED dy=ENLARGED \
         origin=(cut_left(i) - ENLARGED * (CUT_X - 0.5), \
             GAP - ENLARGED * (HEIGHT - CUT_Y - CUT_HEIGHT - 0.5)) \
         every ::CUT_X:CUT_Y:CUT_X + CUT_WIDTH - 1:CUT_Y + CUT_HEIGHT - 1 with rgbimage
unset output
