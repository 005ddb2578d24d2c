# The axes and roofs of the next figure, "roofline-".PLOT. Its axes are WIDE and HIGH pixels long;
# from these follows the angle of the slope on paper, on which its name is written.
axis(column) = word(list_of("axes-".PLOT, column), 1)
set title heading("Upscaling ".SIZE." by 2".axis("title"))
set ylabel "rate of arithmetic (GFLOP/s)"
set logscale xy 10
set format xy "%g"
X_LOW = axis("x_low") + 0; X_HIGH = axis("x_high") + 0
Y_LOW = axis("y_low") + 0; Y_HIGH = axis("y_high") + 0
set xrange [X_LOW : X_HIGH]
set yrange [Y_LOW : Y_HIGH]
slope = atan2(HIGH / log(Y_HIGH / Y_LOW), WIDE / log(X_HIGH / X_LOW)) * 180 / pi
roofs(column) = all_of("roofs-".PLOT, column)
N = words(roofs("fma"))
do for [k=1:N] {
    fma = word(roofs("fma"), k) + 0; copy = word(roofs("copy"), k) + 0
    start = word(roofs("start"), k) + 0; ridge = word(roofs("ridge"), k) + 0
    set arrow from start, start * copy to ridge, fma nohead linecolor rgb TEXT linewidth 2
    set arrow from ridge, fma to X_HIGH, fma nohead linecolor rgb TEXT linewidth 2
    set label word(roofs("fma_label"), k) at X_HIGH, fma right offset character -1, 0.7 \
        textcolor rgb TEXT
    set label word(roofs("copy_label"), k) at sqrt(start * ridge), sqrt(start * ridge) * copy \
        center rotate by slope offset character (k < N ? 1 : -1), (k < N ? -1 : 1) \
        textcolor rgb TEXT
}
