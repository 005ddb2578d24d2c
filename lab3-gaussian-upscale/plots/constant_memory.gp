WHAT = "Upscaling by 2"
NUMBERS = "weights"
COUNT_LABEL = "radius r of the Gaussian (source pixels), (2r + 1)² taps per output pixel"
