#!/usr/bin/env python3
"""Cuts of pictures that the network was not trained with, for README.md.

    crops.py PROGRAM OUT.png PICTURE:X:Y ...

PROGRAM is gaussian_upscale. Each picture is made smaller by 2 and enlarged again; a row has the cut
at X, Y of the original, and of the results of the Gaussian, the bicubic and the learned method.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np

SIDE, ZOOM = 80, 3  # of a cut, in pixels of the original; of the pixels


def main():
    program, out, *cuts = sys.argv[1:]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for cut in cuts:
            path, x, y = cut.rsplit(":", 2)
            x, y = int(x), int(y)
            original = cv2.imread(path)
            height, width = (size // 2 * 2 for size in original.shape[:2])
            small = cv2.resize(original[:height, :width], (width // 2, height // 2),
                               interpolation=cv2.INTER_AREA)
            cv2.imwrite(f"{folder}/small.png", small)
            results = [original]
            for method in ("gauss", "bicubic", "learned"):
                to = f"{folder}/{method}.png"
                subprocess.run([program, "run", f"{folder}/small.png", "--method", method,
                                "--output", to], check=True, stdout=subprocess.DEVNULL)
                results.append(cv2.imread(to))
            rows.append(np.hstack([
                np.pad(np.kron(r[y:y + SIDE, x:x + SIDE], np.ones((ZOOM, ZOOM, 1), np.uint8)),
                       ((2, 2), (2, 2), (0, 0)), constant_values=255) for r in results]))
    cv2.imwrite(str(Path(out)), np.vstack(rows))


if __name__ == "__main__":
    main()
