# Figures and table of the experiment `block_sizes`: the kernels with square blocks, report
# 002's figures 6 to 8, and what the L1 cache is worth. Called as common/plots/style.gp says.

CSV_DIR = ARG1; OUT_DIR = ARG2
HERE = system("dirname '".ARG0."'")
load HERE."/../../common/plots/style.gp"

eval open_csv("block_sizes")
load HERE."/curves.gp"

array block[ROWS]
array curve[ROWS]
do for [r=1:ROWS] {
    block[r] = block_of(r)
    curve[r] = variant[r].", ".block[r]
}
eval distinct("BLOCKS", "block")
eval distinct("CURVES", "curve")
eval number_curves

# The same kernels without the L1 cache are variants of their own in some builds.
L1_OFF = "_l1_off"
without_l1(v) = strlen(v) > strlen(L1_OFF) && v[strlen(v)-strlen(L1_OFF)+1:*] eq L1_OFF
eval define_least("row_of(k)", "width", "curve_id[r] == k")
curve_variant(k) = variant[row_of(k)]
curve_block(k) = block[row_of(k)]

# ---- Every block: all kernels in one figure, and each in its own --------------------------------

short(v) = replaced(v, "cuda_", "")
KERNELS = ""
do for [v=1:words(VARIANTS)] {
    if (!without_l1(word(VARIANTS, v))) { KERNELS = with_word(KERNELS, word(VARIANTS, v)) }
}
do for [v=0:words(KERNELS)] {
    SHOWN = ""
    do for [k in ALL_CURVES] {
        name = curve_variant(k + 0)
        if (v == 0 ? contains(KERNELS, name) : name eq word(KERNELS, v)) { SHOWN = SHOWN." ".k }
    }
    figure = "block-sizes".(v == 0 ? "" : "-".short(word(KERNELS, v)))
    eval series("kernel_ms_mean", SHOWN, SIDES)
    if (DRAWN ne "") {
        eval open_curves(figure)
        set title heading("Integral image by the definition, ". \
            (v == 0 ? "on the GPU" : word(KERNELS, v)).": time with every block")
        eval linear_axis
        set ylabel "time of the kernel (ms)"
        eval CURVES_PLOT
        eval close_figure(figure)
    }
}

# ---- With and without the L1 cache, blocks of the middle size -----------------------------------

eval define_least("block_row(b)", "block_width", "block[r] eq b")
threads_in(b) = block_width[block_row(b)] * block_height[block_row(b)]
MIDDLE = word(BLOCKS, 1)
do for [b in BLOCKS] {
    below = sum [i=1:words(BLOCKS)] (threads_in(word(BLOCKS, i)) < threads_in(b))
    if (below == (words(BLOCKS) - 1) / 2) { MIDDLE = b }
}

SHOWN = ""
do for [k in ALL_CURVES] {
    name = curve_variant(k + 0)
    if (curve_block(k + 0) eq MIDDLE && (contains(VARIANTS, name.L1_OFF) || without_l1(name))) {
        SHOWN = SHOWN." ".k
    }
}
if (words(KERNELS) < words(VARIANTS)) {
    # One block: the variant is all that sets the curves apart.
    curve_title(k) = curve_variant(k)
    curve_look(k) = look_of(curve_variant(k))
    eval series("kernel_ms_mean", SHOWN, SIDES)
    if (DRAWN ne "") {
        eval open_curves("l1-cache")
        set title heading("Integral image by the definition, blocks of ".MIDDLE \
            .": with the L1 cache and without")
        eval linear_axis
        set ylabel "time of the kernel (ms)"
        eval CURVES_PLOT
        eval close_figure("l1-cache")
    }
}

# ---- Table --------------------------------------------------------------------------------------

eval define_mean("ms_with(v, b)", "kernel_ms_mean", \
    "variant[r] eq v && block[r] eq b && width[r] == LARGEST")
header = "| variant |"
rule = "| :-- |"
do for [b in BLOCKS] {
    header = header.sprintf(" %s, ms |", b)
    rule = rule." --: |"
}
set print OUT_DIR."/block-sizes.md"
print sprintf("**Time of the kernels at %s with each block**\n", square(LARGEST))
print header
print rule
do for [v in VARIANTS] {
    line = "| ".v." |"
    do for [b in BLOCKS] { line = line." ".ms_or_wrong(ms_with(v, b))." |" }
    print line
}
print "\n".MEANS." ".FACTS
unset print
