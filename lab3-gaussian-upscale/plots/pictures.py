"""A scene before and after upscaling, NAME.png, whole and a cut of it enlarged on one sheet,
before-after.png, and cuts of four scenes on another, before-after-pairs.png.
"""

# So narrow a Gaussian has all its weight on the nearest pixel. It gives the input itself, each
# pixel four times, and so is the picture before.
OPTIONS = {
    "before": ("--method", "gauss", "--sigma", "0.05"),
    "Gaussian": ("--method", "gauss"),
    "bicubic": ("--method", "bicubic"),
}
# Scenes of the size of the report's smallest pair, and where their cuts begin in the output.
CUTS = ("landscape:372:880", "foggy:700:550", "overexposed:540:960", "checker:700:500")


def make(album):
    for name, options in OPTIONS.items():
        album.picture(f"{name}.png", "scene:landscape:320x180", *options)
    album.sheet(640, 360, OPTIONS)
    with album.scratch() as folder:
        parts = album.within(folder)
        for scene in (cut.split(":")[0] for cut in CUTS):
            for when, options in (("before", "before"), ("after", "Gaussian")):
                parts.picture(f"{scene}-{when}.png", f"scene:{scene}:1000x700", *OPTIONS[options])
        parts.sheet(2000, 1400, CUTS, script="pairs.gp", to=album.out)
