# The common beginning of lines.gp and dots.gp. FIGURE.tsv has the columns figure, title, look, x,
# value, low, high. A curve has one title, and its points are in order. low and high are the spread
# of the repeats; without a spread, they are the value. Sets the value axis and the key.
load PLOTS."/titles.gp"

stats DATA using (larger(column("value"), column("high"))) name "TOP" nooutput
stats DATA using "value" name "VALUE" nooutput
MARKS = ceil(VALUE_records / words(TITLES) / 12.)
if (Y_AXIS eq "auto" && wide(VALUE_min, VALUE_max)) {
    # A range of less than two decades ends at decades, or it might have no number on it.
    set logscale y 10
    if (VALUE_max / VALUE_min < 100) {
        set yrange [decade_below(VALUE_min) : decade_above(TOP_max)]
    } else { set yrange [VALUE_min / 1.5 : 1.5 * TOP_max] }
}
if (Y_AXIS eq "auto" && !wide(VALUE_min, VALUE_max)) { set yrange [0 : 1.05 * TOP_max] }

load PLOTS."/key.gp"
load BEGIN
