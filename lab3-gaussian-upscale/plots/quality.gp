# Figures and table of the experiment `quality`: how near pictures that were made smaller by 2 and
# then upscaled come to the originals, with every sigma of the Gaussian and with other methods, ours
# and a library's. Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"
load HERE."/upscaling.gp"

eval open_times("quality")
eval text("picture")
eval number("psnr_db")
eval number("ssim")
eval distinct("PICTURES", "picture")

# ---- Series: a sigma of the Gaussian, or a method, ours or a library's --------------------------

library(v) = v eq "peer_opencv" ? "OpenCV" : v eq "peer_npp" ? "NPP" : v
array series[ROWS]
do for [r=1:ROWS] {
    series[r] = (backend[r] eq "peer" ? library(variant[r]).", " : "") \
        .(known(sigma[r]) ? sprintf("Gaussian, σ %g", sigma[r]) : method[r])
}
eval distinct("SERIES", "series")
eval define_least("row_of_series(s)", "width", "series[r] eq s")
is_gauss(s) = known(sigma[row_of_series(s)])
is_peer(s) = backend[row_of_series(s)] eq "peer"
GAUSSIANS = ""
OTHERS = ""
do for [s in SERIES] {
    if (is_gauss(s)) { GAUSSIANS = with_word(GAUSSIANS, s) } else { OTHERS = with_word(OTHERS, s) }
}

# The PSNR of pictures together is that of their mean squared error. A picture that comes out as it
# was has no error, and an infinite PSNR.
EXACT_DB = 1000
squared_error(db) = db > EXACT_DB ? 0. : 255. ** 2 / 10 ** (db / 10)
array error[ROWS]
do for [r=1:ROWS] { error[r] = known(psnr_db[r]) ? squared_error(psnr_db[r]) : NaN }
db_of(e) = !known(e) ? NaN : e > 0 ? 10 * log10(255. ** 2 / e) : 1e9
eval define_mean("mean_error(s)", "error", "series[r] eq s")
eval define_mean("mean_ssim(s)", "ssim", "series[r] eq s")
eval define_mean("error_at(s, p)", "error", "series[r] eq s && picture[r] eq p")
eval define_mean("ssim_at(s, p)", "ssim", "series[r] eq s && picture[r] eq p")
pooled_db(s) = db_of(mean_error(s))
picture_db(s, p) = db_of(error_at(s, p))
# The mean of the pictures' PSNRs is infinite if one of them is.
mean_db(s) = quotient((sum [i=1:words(PICTURES)] (db_ = picture_db(s, word(PICTURES, i)), \
    known(db_) ? db_ : 0.)), \
    (sum [i=1:words(PICTURES)] (known(picture_db(s, word(PICTURES, i))))))

# The best sigma is that of the greatest pooled PSNR.
BEST = ""
BEST_BY_SSIM = ""
do for [s in GAUSSIANS] {
    if (BEST eq "") { BEST = s; BEST_BY_SSIM = s }
    if (pooled_db(s) > pooled_db(BEST)) { BEST = s }
    if (mean_ssim(s) > mean_ssim(BEST_BY_SSIM)) { BEST_BY_SSIM = s }
}
sigma_of(s) = sigma[row_of_series(s)]

pictures_text = sprintf("%d picture%s", words(PICTURES), words(PICTURES) == 1 ? "" : "s")
db_text(x) = !known(x) ? "-" : x > EXACT_DB ? "∞" : sprintf("%.2f", x)
ssim_text(x) = known(x) ? sprintf("%.4f", x) : "-"

# ---- Quality against sigma ----------------------------------------------------------------------

# The sigmas as a curve, the libraries' methods as level lines that are named at their ends.
eval define_least("larger_sigma(x)", "sigma", "sigma[r] > x")
LEVELS = ""
do for [s in OTHERS] { if (is_peer(s)) { LEVELS = with_word(LEVELS, s) } }
if (LEVELS eq "") { LEVELS = OTHERS }

do for [measure in "psnr ssim"] {
    quality_of(s) = measure eq "psnr" ? pooled_db(s) : mean_ssim(s)
    quality_text(x) = measure eq "psnr" ? db_text(x)." dB" : ssim_text(x)
    best = measure eq "psnr" ? BEST : BEST_BY_SSIM
    low = NaN
    high = NaN
    SIGMA_LOW = NaN
    SIGMA_HIGH = NaN
    set print $CURVE
    print "sigma,value"
    row = larger_sigma(0)
    while (row) {
        y = quality_of(series[row])
        if (known(y) && y < EXACT_DB) {
            SIGMA_LOW = smaller(sigma[row], SIGMA_LOW)
            SIGMA_HIGH = larger(sigma[row], SIGMA_HIGH)
            low = smaller(y, low)
            high = larger(y, high)
            print sprintf("%g,%.9g", sigma[row], y)
        }
        row = larger_sigma(sigma[row])
    }
    unset print
    if (!known(high)) { continue }   # all are exact
    DRAWN = ""
    do for [s in LEVELS] {
        if (!(quality_of(s) < EXACT_DB)) { continue }
        DRAWN = with_word(DRAWN, s)
        low = smaller(quality_of(s), low)
        high = larger(quality_of(s), high)
    }
    margin = high > low ? 0.08 * (high - low) : 0.01 * high
    y_low = low - 2 * margin   # with room for the name of the best sigma
    y_high = high + margin

    figure = "quality-".measure
    eval open_figure(figure)
    set title heading("Upscaling by 2: quality against sigma, ".pictures_text)
    set xlabel "sigma of the Gaussian (pixels of the input)"
    set ylabel measure eq "psnr" ? "PSNR of all pictures together (dB)" : "mean SSIM"
    set format x "%g"
    set yrange [y_low : y_high]
    unset key
    longest = longest_word(DRAWN)
    set rmargin longest + (measure eq "psnr" ? 9 : 7)
    ENDS = words(DRAWN)
    array END_AT[ENDS + 1]
    do for [k=1:ENDS] { END_AT[k] = (quality_of(word(DRAWN, k)) - y_low) / (y_high - y_low) }
    do for [k=1:ENDS] {
        s = word(DRAWN, k)
        set arrow from graph 0, graph END_AT[k] to graph 1, graph END_AT[k] nohead back \
            linetype k + 1 linewidth 1.5
        set arrow from graph 1, graph END_AT[k] to graph 1.02, graph label_at(k, 0.058) nohead \
            linecolor @FAINT linewidth 0.7
        set label s." ".quality_text(quality_of(s)) at graph 1.025, graph label_at(k, 0.058) left \
            textcolor @TEXT
    }
    # The name of the best sigma stands below the curve, where it meets neither that nor a level.
    x = sigma_of(best)
    on_right = x > (SIGMA_LOW + SIGMA_HIGH) / 2
    set arrow from first x, graph 0 to first x, first quality_of(best) nohead back \
        linecolor @TEXT dashtype (3,3) linewidth 1
    set label 1000 sprintf("best: σ %g with %s", x, quality_text(quality_of(best))) \
        at first x, graph 0.065 offset character (on_right ? -1 : 1), 0 textcolor @TEXT
    if (on_right) { set label 1000 right }   # a side cannot be an expression
    plot $CURVE using "sigma":"value" with linespoints linetype 1
    eval close_figure(figure)
}

# ---- Every picture ------------------------------------------------------------------------------

# A picture is a row, a method a kind of point with a height of its own in every row, so that equal
# values do not hide each other.
SHOWN = with_word("", BEST)
do for [s in OTHERS] {
    if (s eq "bicubic" || s eq "auto" || is_peer(s)) { SHOWN = with_word(SHOWN, s) }
}
if (BEST eq "") { SHOWN = OTHERS }
N = words(SHOWN)
low = NaN
high = NaN
any_exact = 0
do for [s in SHOWN] {
    do for [p in PICTURES] {
        y = picture_db(s, p)
        if (y > EXACT_DB) { any_exact = 1 } else {
            low = smaller(y, low)
            high = larger(y, high)
        }
    }
}
if (known(high)) {
    margin = larger(0.05 * (high - low), 0.5)
    # Infinite values stand where the next number of the axis but one would.
    step = high - low > 12 ? 5. : high - low > 5 ? 2. : 1.
    last = step * floor(high / step)
    exact_at = last + 2 * step
    set print $POINTS
    print "series,db,place"
    do for [k=1:N] {
        do for [i=1:words(PICTURES)] {
            y = picture_db(word(SHOWN, k), word(PICTURES, i))
            if (known(y)) {
                print sprintf("%d,%g,%g", k, y > EXACT_DB ? exact_at : y, \
                    i + 0.8 * ((k - 0.5) / N - 0.5))
            }
        }
    }
    unset print

    HEIGHT = 150 + larger(40, 13 * N) * words(PICTURES) + key_height(N, longest_word(SHOWN), 3)
    eval open_figure("quality-pictures")
    eval key_below(N, longest_word(SHOWN), 3, 3)
    set title heading("Upscaling by 2: quality of every picture")
    set xlabel "PSNR (dB)"
    set xrange [low - margin : (any_exact ? exact_at : high) + margin]
    set yrange [words(PICTURES) + 0.5 : 0.5]
    set grid x noy
    set ytics scale 0 ()
    do for [i=1:words(PICTURES)] {
        set ytics add (word(PICTURES, i) i)
        if (i > 1) {
            set arrow from graph 0, first i - 0.5 to graph 1, first i - 0.5 nohead back \
                linecolor @FAINT linewidth 0.6
        }
    }
    set xtics step * ceil((low - margin) / step), step, any_exact ? last : high + margin
    if (any_exact) { set xtics add ("∞" exact_at) }
    plot for [k=1:N] $POINTS using (column("series") == k ? column("db") : NaN):"place" \
        with points linetype k title word(SHOWN, k)
    eval close_figure("quality-pictures")
}

# ---- Table --------------------------------------------------------------------------------------

# A row for each method; of the Gaussian, for the best sigma. The best of a column, as printed, is
# bold.
ROWS_SHOWN = (BEST eq "" ? "" : with_word("", BEST)).OTHERS
bold(t, best) = t eq best && t ne "-" ? "**".t."**" : t
greatest(f) = sprintf("(best_ = NaN, sum [i_=1:words(ROWS_SHOWN)] (y_ = %s," \
    ." known(y_) && !(y_ <= best_) ? (best_ = y_, 0) : 0), best_)", f)
eval "best_db(p) = ".greatest("picture_db(word(ROWS_SHOWN, i_), p)")
eval "best_ssim(p) = ".greatest("ssim_at(word(ROWS_SHOWN, i_), p)")
eval "best_pooled = ".greatest("pooled_db(word(ROWS_SHOWN, i_))")
eval "best_mean_db = ".greatest("mean_db(word(ROWS_SHOWN, i_))")
eval "best_mean_ssim = ".greatest("mean_ssim(word(ROWS_SHOWN, i_))")

header = "| method |"
rule = "| :-- |"
do for [p in PICTURES] {
    header = header.sprintf(" %s, PSNR / SSIM |", p)
    rule = rule." --: |"
}
set print OUT_DIR."/quality.md"
print sprintf("**PSNR (dB) and SSIM of %s made smaller by 2 and upscaled**\n", pictures_text)
print header." pooled PSNR | mean PSNR | mean SSIM |"
print rule." --: | --: | --: |"
do for [s in ROWS_SHOWN] {
    line = "| ".s." |"
    do for [p in PICTURES] {
        line = line.sprintf(" %s / %s |", bold(db_text(picture_db(s, p)), db_text(best_db(p))), \
            bold(ssim_text(ssim_at(s, p)), ssim_text(best_ssim(p))))
    }
    print line.sprintf(" %s | %s | %s |", bold(db_text(pooled_db(s)), db_text(best_pooled)), \
        bold(db_text(mean_db(s)), db_text(best_mean_db)), \
        bold(ssim_text(mean_ssim(s)), ssim_text(best_mean_ssim)))
}
print ""
if (BEST ne "") {
    print sprintf("Of %d sigmas from %g to %g, %g is best by pooled PSNR and %g by mean SSIM.", \
        words(GAUSSIANS), sigma_of(word(GAUSSIANS, 1)), \
        sigma_of(word(GAUSSIANS, words(GAUSSIANS))), sigma_of(BEST), sigma_of(BEST_BY_SSIM))
}
# What `auto` chose, by choice.
CHOICES = ""
array choice[ROWS]
do for [r=1:ROWS] {
    at = strstrt(parameters[r], "chosen=")
    choice[r] = at ? word(replaced(parameters[r][at+7:*].";", ";", " "), 1) : ""
    if (at) { CHOICES = with_word(CHOICES, choice[r]) }
}
do for [c in CHOICES] {
    chosen_for = ""
    do for [r=1:ROWS] { if (choice[r] eq c) { chosen_for = with_word(chosen_for, picture[r]) } }
    list = ""
    do for [p in chosen_for] { list = list.(list eq "" ? "" : ", ").p }
    print sprintf('`auto` chose %s for %s.', c, list)   # in "…", `auto` would be run as a command
}
print "The pooled PSNR is that of the mean squared error of all pictures. ".FACTS
unset print
