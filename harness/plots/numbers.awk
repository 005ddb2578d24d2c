# {x} becomes the number x with three significant digits and no exponent; {} becomes a dash.
function three_digits(x) {
    if (x == "") return "-"
    x += 0 # a number, no text: it is compared below
    if (x >= 100) return sprintf("%.0f", x)
    if (x >= 10) return sprintf("%.1f", x)
    if (x >= 1) return sprintf("%.2f", x)
    if (x >= 0.1) return sprintf("%.3f", x)
    if (x <= 0) return sprintf("%.4f", x)
    exponent = int(log(x) / log(10))
    while (10 ^ exponent > x) --exponent
    return sprintf("%.*f", 2 - exponent, x)
}
{
    while (match($0, /\{[-+.0-9e]*\}/))
        $0 = substr($0, 1, RSTART - 1) three_digits(substr($0, RSTART + 1, RLENGTH - 2)) \
            substr($0, RSTART + RLENGTH)
    print
}
