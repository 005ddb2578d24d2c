# Opens FIGURE.svg, HEIGHT pixels high; where ONLY names another figure, its output is not kept. The
# figure has no background and takes dark.xml, by which it reads on a dark page too. `noenhanced`,
# because names like omp_rows mean their underscore; `name` keeps the ids of two figures apart that
# are put into the same page.
set terminal svg size 800,HEIGHT dynamic noenhanced \
    font "Arial,Liberation Sans,Helvetica,sans-serif,13" \
    name replaced(FIGURE, "-", "_")
if (exists("TELLS")) {   # figures.py asks which figures are drawn
    set print "-"
    print sprintf("%s\t%d\t%s", FIGURE, HEIGHT, SHOWN[1:strstrt(SHOWN."\n", "\n") - 1])
    unset print
}
set output exists("ONLY") && ONLY ne FIGURE ? "/dev/null" : FIGURE.".svg"
