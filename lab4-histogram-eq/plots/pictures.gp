# The contact sheet of pictures.py, before-after.png: pictures before and after beside each other,
# each with its histogram and CDF below it. Of a picture larger than a cell, every n-th pixel of
# every n-th row is shown. Runs after driver/plots/sheet.gp, on the files that pictures.sql made.

all_of(column) = system("awk -F'\\t' -v name=".column \
    ." 'NR == 1 { while ($++i != name) {} } NR > 1 { printf \"\\\"%s\\\" \", $i }' sheet.tsv")
PNGS = all_of("png"); LEFT = all_of("left"); TOP = all_of("top"); BOTTOM = all_of("bottom")
STEP = all_of("step"); HEIGHTS = all_of("height"); TITLES = all_of("title")
nth(list, i) = word(list, i) + 0

eval open_sheet(SHEET_WIDTH, SHEET_HEIGHT)
set palette gray
set cbrange [0:255]
do for [i=1:words(PNGS)] {
    set label word(TITLES, i) at nth(LEFT, i), nth(TOP, i) + TITLE / 2 left
    set object rectangle from nth(LEFT, i), nth(BOTTOM, i) \
        to nth(LEFT, i) + CELL, nth(BOTTOM, i) + HIST \
        behind fillstyle solid 1 noborder fillcolor rgb "#f0f0f0"
}
half = CELL / 512.
set datafile separator tab
cdf_of(i) = strcol("png") eq word(PNGS, i) ? column("cdf") : NaN
plot for [i=1:words(PNGS)] word(PNGS, i) binary filetype=png \
        origin=(nth(LEFT, i) + 0.5, nth(TOP, i) - nth(HEIGHTS, i) + 0.5) \
        dx=1./nth(STEP, i) dy=1./nth(STEP, i) every nth(STEP, i):nth(STEP, i) using 1 with image, \
    "bars.tsv" using "x":"floor":(column("x") - half):(column("x") + half):"floor":"top" \
        with boxxyerror fillstyle solid 1 noborder linecolor rgb 0x1f6fb0, \
    for [i=1:words(PNGS)] "bars.tsv" using "x":(cdf_of(i)) with lines \
        linecolor rgb "#e69f00" dashtype 1 linewidth 1.5
unset output
