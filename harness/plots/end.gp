# Closes FIGURE.svg, draws FIGURE.pdf for print where gnuplot has Cairo, and forgets all settings.
if (strstrt(" ".GPVAL_TERMINALS." ", " pdfcairo ")) {
    set terminal pdfcairo noenhanced font "Arial,9" dashlength 2 size 16cm, (HEIGHT / 48.)cm
    set output FIGURE.".pdf"
    replot
}
unset output
reset
load PLOTS."/style.gp"
