WHAT = "Convolution"
NUMBERS = "mask"
COUNT_LABEL = "side n of the n × n mask (weights)"
