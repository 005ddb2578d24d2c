# The curves of FIGURE.tsv: see series.gp.
DATA = FIGURE.".tsv"
TITLES = list_of(FIGURE, "title")
look(k) = word(LOOKS, k) + 0
LOOKS = system("awk -F'\\t' 'NR > 1 && !seen[$2]++ { print $3 }' ".DATA)
of_curve(k, x) = strcol("title") eq word(TITLES, k) ? column(x) : NaN
