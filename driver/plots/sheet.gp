# The common part of the labs' pictures.gp: a sheet of pictures, OUT_DIR/before-after.png, or
# OUT_DIR/SHEET.png where SHEET is set. A script sets OUT_DIR, loads this, lays out the sheet, and
# draws it in one plot between
#
#     eval open_sheet(width, height)   # in pixels, which are also the coordinates, from bottom left
#     unset output

if (!exists("SHEET")) { SHEET = "before-after" }
GAP = 12     # pixels beside and below a picture
TITLE = 28   # pixels above it, for its name

# Debian's gnuplot writes PNG through Cairo and gd; either does.
PNG = strstrt(GPVAL_TERMINALS, "pngcairo") ? "pngcairo" : "png truecolor"
open_sheet(width, height) = "set terminal ".PNG.sprintf(" size %d, %d noenhanced", width, height) \
    ." font 'Arial,13' background rgb 'white'; set output OUT_DIR.'/'.SHEET.'.png';" \
    ."unset border; unset tics; unset grid; unset key; unset colorbox;" \
    .sprintf("set margins 0, 0, 0, 0; set xrange [0:%d]; set yrange [0:%d]", width, height)
