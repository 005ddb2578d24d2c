# Shades of the looks, for a variant that has several curves: look + 100 … look + 500 have its
# colour from lighter to darker, each part of it by itself, and points and dashes of their own.
toned(x, t) = int(t < 0.5 ? x + (0.5 - t) * 0.8 * (255 - x) : x * (1 - (t - 0.5) * 0.5))
shade(c, t) = toned(c / 65536, t) * 65536 + toned(c / 256 % 256, t) * 256 + toned(c % 256, t)
do for [i=1:5] {
    do for [look=1:words(COLOURS)] {
        eval sprintf("set linetype %d linecolor rgb %d pointtype %s dashtype %s", 100 * i + look, \
            shade(int("0x".word(COLOURS, look)), (i - 1) / 4.), word("7 5 9 11 13", i), \
            value(word("SOLID MIXED DASHED DASHED DOTTED", i)))
        set linetype 100 * i + look linewidth 1.8 pointsize 0.9
    }
}
