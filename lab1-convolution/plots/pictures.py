"""Pictures before and after every built-in filter, FILTER.png, and all of them on one sheet,
before-after.jpg.
"""

# `identity` comes first: it returns its input, and so is the picture before.
FILTERS = ("identity", "edge4", "edge8", "sharpen", "box3", "box5", "gauss3", "gauss5", "unsharp5")


def make(album):
    for name in FILTERS:
        album.picture(f"{name}.png", "scene:landscape:480x270", "--filter", name)
    album.sheet(480, 270, FILTERS)
    # The sheet is a picture like any other: the lab itself makes the smaller JPEG of it.
    sheet = album.out / "before-after.png"
    album.picture("before-after.jpg", str(sheet), "--filter", "identity")
    sheet.unlink()
