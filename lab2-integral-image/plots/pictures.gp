# The contact sheet of pictures.py: the integral images OUT_DIR/NAME.png for each NAME, side by side
# with their names above, as OUT_DIR/before-after.png. Called as
#
#     gnuplot -e "PLOTS = 'driver/plots'" -c lab2-integral-image/plots/pictures.gp \
#         OUT_DIR WIDTH HEIGHT "NAME …"
#
# Integral images look alike: black at the top left, where sums begin, white at the bottom right,
# where all is summed. So they are drawn in few shades, each for an equal part of the sum of all.
# The lines are where the shades would change if all pixels were equal: bright parts of an image
# pull the shades towards the top left, dark parts let them fall back.

OUT_DIR = ARG1; WIDTH = ARG2 + 0; HEIGHT = ARG3 + 0; NAMES = ARG4
load PLOTS."/sheet.gp"
SHADES = 10
CAPTION = 24   # pixels at the bottom, for what the shades and lines are
sheet_width = words(NAMES) * (WIDTH + GAP) + GAP
left(i) = GAP + (i - 1) * (WIDTH + GAP)
bottom = GAP + CAPTION

eval open_sheet(sheet_width, TITLE + HEIGHT + GAP + CAPTION)
set palette gray maxcolors SHADES
set cbrange [0:255]
do for [i=1:words(NAMES)] {
    set label word(NAMES, i) at left(i), bottom + HEIGHT + TITLE / 2 left
}
set label sprintf("Integral images: from one shade to the next, 1/%d of the sum of all pixels." \
    ." Lines: where the shades of an image of equal pixels change.", SHADES) \
    at GAP, CAPTION / 2 left

# If all pixels are equal, the part `t` of the sum lies above and left of (t ** (1 - u), t ** u), in
# parts of the picture's width and height; "+" counts through the x axis, and so u goes from 0 to 1.
set samples 200
across(t) = t ** (1 - column(1) / sheet_width)
plot for [i=1:words(NAMES)] OUT_DIR."/".word(NAMES, i).".png" binary filetype=png \
         origin=(left(i) + 0.5, bottom + 0.5) dx=1 dy=1 using 1 with image, \
     for [i=1:words(NAMES)] for [k=1:SHADES-1] "+" \
         using (left(i) + WIDTH * across(1. * k / SHADES)) \
             :(bottom + HEIGHT * (1 - 1. * k / SHADES / across(1. * k / SHADES))) \
         with lines linecolor rgb "#e69f00" linewidth 1.2
unset output
