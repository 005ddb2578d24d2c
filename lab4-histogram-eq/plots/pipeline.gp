# Figures and tables of the experiment `pipeline`: where the time of a call from host to host goes,
# in steps from report 004's program to one that is faster than the CPU. Called as
# common/plots/style.gp says.
#
# A bar is the sum of its stages, each of which was waited for; the whole call, in which stages may
# overlap, was measured apart, and is marked on it.

CSV_DIR = ARG1; OUT_DIR = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"
load HERE."/equalizing.gp"

eval open_times("pipeline")
eval text("step")
STAGES = "context allocation upload kernels download"
do for [s in STAGES] { eval number(s."_ms") }
eval open_report_pictures

# Rows of a wrong variant have no step; what they were told says which it is.
told(p) = strstrt(p, ";") ? replaced(p[strstrt(p, ";")+1:*], ";", " ") : "-"
do for [r=1:ROWS] { if (step[r] eq "") { step[r] = told(parameters[r]) } }

# Stages that could be told apart are known, but for variants that do their own transfers.
staged(r) = known(allocation_ms[r])
stage_ms(r, k) = k == 1 ? context_ms[r] : k == 2 ? allocation_ms[r] : k == 3 ? upload_ms[r] \
    : k == 4 ? kernels_ms[r] : download_ms[r]
baseline_ms = total_at(BASELINE, LARGEST)

# The variants that were taken apart, and the others on the GPU.
STAGED = ""
WHOLE = ""
do for [r=1:ROWS] {
    if (case[r] ne LARGEST || !on_gpu(r)) { continue }
    if (staged(r)) { STAGED = with_word(STAGED, variant[r]) }
    if (whole_way(r)) { WHOLE = with_word(WHOLE, variant[r]) }
}

# ---- Figures ------------------------------------------------------------------------------------

# The pieces of a bar are the stages, or UNKNOWN. They are told from their neighbours by how light
# they are.
UNKNOWN = 6
piece_title(k) = k == UNKNOWN ? "not told apart" : word(STAGES, k)
piece_colour(k) = k == 1 ? 0xc9b458 : k == 2 ? 0x7a828a : k == 3 ? LIGHT : k == 4 ? 0xd55e00 \
    : k == 5 ? 0x2f7fc1 : 0xb9a7d6

# `pipeline` shows report 004's program and what became of it; the context, which only the first
# call pays for, is most of it. `pipeline-warm` shows the calls after the first, of all variants.
# A bar is KIND:ROW; of report 004's own, the row is that of its table.
report = report_row(LARGEST)
do for [figure in "pipeline pipeline-warm"] {
    first = figure eq "pipeline"
    BARS = ""
    do for [v in STAGED] {
        if (first && BARS eq "") {
            BARS = (report ? sprintf("report:%d ", report) : "") \
                .sprintf("first:%d", row_of(v, LARGEST))
        } else {
            if (first) { continue }
            BARS = BARS.sprintf(" title:%d", row_of(v, LARGEST))
        }
        do for [r=1:ROWS] {
            if (variant[r] eq v && case[r] eq LARGEST && staged(r)) {
                BARS = BARS.sprintf(" warm:%d", r)
            }
        }
    }
    if (BARS eq "") { continue }
    do for [v in WHOLE] {
        r = row_of(v, LARGEST)
        BARS = BARS.(first ? "" : sprintf(" title:%d", r)).sprintf(" whole:%d", r)
    }
    bar_kind(i) = word(replaced(word(BARS, i), ":", " "), 1)
    bar_row(i) = word(replaced(word(BARS, i), ":", " "), 2) + 0

    used = ""   # pieces
    right = baseline_ms
    set print $PIECES
    print "place,from,to,piece"
    array end[words(BARS)]
    do for [i=1:words(BARS)] {
        kind = bar_kind(i)
        r = bar_row(i)
        end[i] = 0
        if (kind eq "report") {
            end[i] = report_cuda_ms[r] + 0
            print sprintf("%d,0,%s,4", i, report_kernel_ms[r])
            print sprintf("%d,%s,%s,%d", i, report_kernel_ms[r], report_cuda_ms[r], UNKNOWN)
            used = with_word(used, sprintf("%d", UNKNOWN))
        }
        if (kind eq "whole") {
            end[i] = total_ms_mean[r]
            print sprintf("%d,0,%.10g,%d", i, end[i], UNKNOWN)
            used = with_word(used, sprintf("%d", UNKNOWN))
        }
        if (kind eq "first" || kind eq "warm") {
            do for [k=(kind eq "first" ? 1 : 2):words(STAGES)] {
                print sprintf("%d,%.10g,%.10g,%d", i, end[i], end[i] + stage_ms(r, k), k)
                end[i] = end[i] + stage_ms(r, k)
                used = with_word(used, sprintf("%d", k))
            }
        }
        right = larger(larger(end[i], kind eq "first" ? cold_ms[r] : 0), right)
    }
    unset print

    # What the label says is the whole call. It stands at the end of the bar, or beyond the line of
    # the baseline if that would cross it.
    clear_of_line(x) = x < baseline_ms && x + 0.3 * right > baseline_ms ? baseline_ms : x
    set print $BARS
    print "place,at,whole,label,name"
    do for [i=1:words(BARS)] {
        kind = bar_kind(i)
        r = bar_row(i)
        whole = kind eq "report" ? report_cuda_ms[r] + 0 : kind eq "first" ? cold_ms[r] \
            : kind eq "title" ? NaN : total_ms_mean[r]
        speedup = kind eq "report" ? report_speedup_cuda[r] : exact(baseline_ms / whole)
        print sprintf('%d,%.10g,%.10g,"%s","%s"', i, clear_of_line(larger(whole, end[i])), \
            kind eq "report" || kind eq "whole" ? NaN : whole, \
            kind eq "title" ? variant[r] : sprintf("%s ms (%s×)", exact(whole), speedup), \
            kind eq "title" ? " " : kind eq "report" ? "report 004's program (".REPORT_MACHINE.")" \
                : kind eq "first" ? "first call: ".step[r] \
                : kind eq "whole" && first ? step[r]." (".variant[r].")" : step[r])
    }
    unset print

    rows = words(BARS)
    PIECES = ""   # in their order
    do for [k=1:UNKNOWN] {
        if (contains(used, sprintf("%d", k))) { PIECES = PIECES.sprintf(" %d", k) }
    }
    entries = words(PIECES) + 1
    eval open_rows(figure, rows + 3)
    set yrange [rows + 0.6 : -0.6]   # with room for the name of the line above the bars
    eval key_below(entries, 14, 3, 3)
    set key on maxcols 3
    set title heading(sprintf("From host to host, %s, %s", LARGEST, first \
        ? "in steps from report 004's program" : "calls after the first"))
    set xlabel "time from host to host (ms); × is the speedup over ".BASELINE
    set xrange [0 : 1.32 * right]
    if (known(baseline_ms)) {
        set arrow from first baseline_ms, graph 0 to first baseline_ms, graph 1 nohead back \
            linecolor @TEXT dashtype (6,4) linewidth 1.2
        set label sprintf("%s: %s ms", BASELINE, exact(baseline_ms)) \
            at first baseline_ms, first -0.1 left offset character 0.6, 0 \
            textcolor @TEXT
    }
    plot for [k in PIECES] $PIECES using (0):(column("piece") == k ? column("place") : NaN) \
             :"from":"to":(column("place") - 0.36):(column("place") + 0.36) \
             with boxxyerror linecolor rgb piece_colour(k + 0) fillstyle solid 1 noborder \
             title piece_title(k + 0), \
         $BARS using "whole":"place" with points pointtype 13 pointsize 0.7 \
             linecolor @TEXT title "whole call", \
         "" using "at":"place":"label":ytic(strcol("name")) \
             with labels left offset character 1, 0 textcolor @TEXT notitle
    eval close_figure(figure)
}

# ---- Table --------------------------------------------------------------------------------------

if (STAGED eq "" && WHOLE eq "") { exit }
set print OUT_DIR."/pipeline.md"
print sprintf("**%s, from host to host (ms)**\n", LARGEST)
header = "| variant | step |"
rule = "| :-- | :-- |"
do for [s in STAGES] {
    header = header.sprintf(" %s |", s)
    rule = rule." --: |"
}
print header." whole call | speedup over ".BASELINE." |"
print rule." --: | --: |"
if (report) {
    print sprintf("| report 004's program (%s) | | - | - | - | %s | - | %s | %s |", \
        REPORT_MACHINE, \
        report_kernel_ms[report], report_cuda_ms[report], report_speedup_cuda[report])
}
do for [r=1:ROWS] {
    if (case[r] ne LARGEST) { continue }
    if (on_gpu(r) && r == row_of(variant[r], LARGEST) && staged(r)) {
        line = sprintf("| %s | first call: %s |", variant[r], step[r])
        do for [k=1:words(STAGES)] { line = line.sprintf(" %s |", exact(stage_ms(r, k))) }
        print line.sprintf(" %s | %s |", exact(cold_ms[r]), exact(baseline_ms / cold_ms[r]))
    }
    line = sprintf("| %s | %s | - |", variant[r], step[r])
    do for [k=2:words(STAGES)] { line = line.sprintf(" %s |", exact(stage_ms(r, k))) }
    print line.sprintf(" %s | %s |", ms_or_wrong(total_ms_mean[r]), \
        exact(baseline_ms / total_ms_mean[r]))
}

# All pictures: of each variant and step, the whole call. What is faster than the baseline is bold.
array column_name[ROWS]
do for [r=1:ROWS] { column_name[r] = variant[r].", ".step[r] }
eval distinct("COLUMNS", "column_name")
eval define_least("row_in(name, c)", "width", "column_name[r] eq name && case[r] eq c")
total_in(name, c) = (r_ = row_in(name, c), r_ ? total_ms_mean[r_] : NaN)
faster(x, y) = x < y ? "**".exact(x)."**" : ms_or_wrong(x)
header = "| picture |"
rule = "| :-- |"
do for [name in COLUMNS] {
    header = header.sprintf(" %s |", name)
    rule = rule." --: |"
}
print sprintf("\n**All pictures, the whole call (ms); bold: faster than %s**\n", BASELINE)
print header
print rule
do for [c in CASES] {
    line = sprintf("| %s |", c)
    do for [name in COLUMNS] {
        line = line.sprintf(" %s |", faster(total_in(name, c), total_at(BASELINE, c)))
    }
    print line
}
ABOUT = STAGED eq "" ? "" : "Stages were waited for one after the other, the whole call was " \
    ."measured apart. With pinned buffers, upload and download include the CPU's copies to and" \
    ." from them. "
print "\n".ABOUT.MEANS." ".FACTS
unset print
