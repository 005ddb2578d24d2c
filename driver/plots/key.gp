# The key in columns below the plot, for the entries in TITLES. gnuplot makes room for only one row
# by itself.
columns_ = larger(1, floor((88. - RIGHT) / (longest_word(TITLES) + 7)))
rows_ = ceil(1. * words(TITLES) / columns_)
HEIGHT = HEIGHT + 21 * (rows_ - 1)
set rmargin RIGHT
set bmargin BELOW + 1 + 1.2 * rows_
set key outside bottom center horizontal maxrows rows_ maxcols columns_
