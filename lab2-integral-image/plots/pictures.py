"""Integral images of three built-in inputs, NAME.png, and all on one sheet, before-after.png."""

INPUTS = {"landscape": "scene:landscape", "checker": "scene:checker", "random": "random"}


def make(album):
    for name, source in INPUTS.items():
        album.picture(f"{name}.png", f"{source}:480x270")
    album.sheet(480, 270, INPUTS)
