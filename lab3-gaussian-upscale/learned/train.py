#!/usr/bin/env python3
"""Trains the network of `--method learned` and writes its file.

    train.py PICTURES HELD_OUT OUT [--hidden N] [--steps N] [--seed N]

PICTURES and HELD_OUT are folders (README.md says which pictures we took). OUT gets network.txt,
loss.csv and held_out.csv. Needs PyTorch and OpenCV; a GPU trains in about two minutes.

A network of integers: in the forward pass, weights and activations are rounded and clamped exactly
as problem/network.hpp says. All values are integers below 2^24, which float32 holds. The backward
pass takes the rounding for the identity (a straight-through estimator).
"""
import argparse
import copy
import csv
import math
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

CHANNELS = 16
SHIFT = 7  # of hidden layers: a weight is a multiple of 1/128
LAST_SHIFT = 5  # the residual is a multiple of 1/8 gray level, its weights of 1/256
RESIDUAL_UNIT = 8
BICUBIC = (-9, 67, 225, -27)  # of 256, for the odd phase in reverse


def rounded(x):
    """Half up, with the gradient of the identity."""
    return x + (torch.floor(x + 0.5) - x).detach()


class Layer(nn.Module):
    """A 3x3 convolution without padding, in integers if `exact`."""

    def __init__(self, channels_in, channels_out, unit, shift, offset=0):
        super().__init__()
        self.unit, self.shift, self.offset = unit, shift, offset
        self.weight = nn.Parameter(torch.empty(channels_out, channels_in, 3, 3))
        self.bias = nn.Parameter(torch.zeros(channels_out))  # in 64 activation levels
        nn.init.kaiming_normal_(self.weight)

    def integers(self, exact):
        weight = torch.clamp(self.weight * self.unit, -127, 127)
        weight = rounded(weight) if exact else weight
        bias = self.bias * 64 * 2**self.shift
        bias = rounded(bias) if exact else bias
        return weight, bias - self.offset * weight.sum((1, 2, 3))

    def forward(self, x, exact):
        x = functional.conv2d(x, *self.integers(exact)) / 2**self.shift
        return rounded(x) if exact else x


class Network(nn.Module):
    """From luma (0 to 255) with a halo of hidden + 2 to residuals of the four phases, in 1/8."""

    def __init__(self, hidden):
        super().__init__()
        first = Layer(1, CHANNELS, 2**SHIFT, SHIFT, offset=128)
        middle = [Layer(CHANNELS, CHANNELS, 2**SHIFT, SHIFT) for _ in range(hidden)]
        last = Layer(CHANNELS, 4, RESIDUAL_UNIT * 2**LAST_SHIFT, LAST_SHIFT)
        nn.init.normal_(last.weight, std=1e-3)
        self.layers = nn.ModuleList([first, *middle, last])
        self.halo = len(self.layers)

    def forward(self, luma, exact):
        x = luma
        for layer in self.layers[:-1]:
            x = torch.clamp(layer(x, exact), 0, 255)
        return self.layers[-1](x, exact)

    def write(self, path):
        lines = ["learned upscaling by 2, version 1", f"layers {len(self.layers)}"]
        for layer in self.layers:
            weight, bias = (t.detach().round().long().tolist() for t in layer.integers(True))
            lines.append(f"layer {len(weight[0])} {len(weight)} shift {layer.shift}")
            for channel, channel_bias in zip(weight, bias):
                lines.append(f"bias {channel_bias}")
                lines += [" ".join(str(w) for row in part for w in row) for part in channel]
        path.write_text("\n".join(lines) + "\n")


def luma_of(rgb):
    """(77 R + 150 G + 29 B + 128) >> 8"""
    red, green, blue = rgb.split(1, dim=1)
    return torch.floor((77 * red + 150 * green + 29 * blue + 128) / 256)


def halved(rgb):
    """As `bench quality` does: the mean of 2x2 pixels, rounded half up."""
    return torch.floor(functional.avg_pool2d(rgb, 2) + 0.5)


def enlarged(small, even):
    """Separable interpolation of a picture with a halo of 2; `even`: the weights of even pixels."""
    n, c, h, w = small.shape
    taps = torch.tensor([list(even), list(even)[::-1]], dtype=small.dtype, device=small.device)
    # Output 2x takes columns x - 2 ... x + 1 of the picture, output 2x + 1 columns x - 1 ... x + 2.
    rows = torch.stack([sum(taps[p, k] * small[:, :, k + p: k + p + h - 4] for k in range(4))
                        for p in (0, 1)], 3).reshape(n, c, 2 * (h - 4), w)
    return torch.stack([sum(taps[p, k] * rows[..., k + p: k + p + w - 4] for k in range(4))
                        for p in (0, 1)], 4).reshape(n, c, 2 * (h - 4), 2 * (w - 4))


def upscaled(network, small, exact):
    """A picture with a halo of network.halo, before rounding."""
    cut = network.halo - 2
    base = enlarged(small[..., cut:-cut, cut:-cut], BICUBIC) / 65536
    residual = functional.pixel_shuffle(network(luma_of(small), exact), 2) / RESIDUAL_UNIT
    return base + residual


def read(path):
    image = cv2.imread(str(path))
    assert image is not None, path
    return cv2.cvtColor(image, cv2.COLOR_BGR2RGB)


def training_pictures(folder):
    """Photographs are made smaller by 2 and 3, which removes what JPEG and the sensor left."""
    for path in sorted(Path(folder).iterdir()):
        picture = read(path)
        height, width = picture.shape[:2]
        for factor in [1] if width < 1000 else [2] if width < 1500 else [2, 3]:
            size = (width // factor, height // factor)
            yield cv2.resize(picture, size, interpolation=cv2.INTER_AREA)


def patches(folder, side, device):
    """All tiles of the pictures, (n, 3, side, side) bytes; flat ones teach nothing and are rare."""
    tiles = []
    for picture in training_pictures(folder):
        t = torch.from_numpy(picture).permute(2, 0, 1)
        t = t.unfold(1, side, side // 2).unfold(2, side, side // 2)
        tiles.append(t.reshape(3, -1, side, side).transpose(0, 1))
    tiles = torch.cat(tiles)
    keep = torch.cat([t.float().std((2, 3)).mean(1) > 3 for t in tiles.split(256)])
    return tiles[keep].to(device)


def augmented(batch, generator):
    """Turned and mirrored, the whole batch alike, and with colours exchanged or inverted."""
    turn = torch.randint(8, (1,), generator=generator).item()
    batch = torch.rot90(batch, turn % 4, (2, 3))
    batch = batch.flip(3) if turn >= 4 else batch
    return 255 - batch if torch.rand(1, generator=generator).item() < 0.2 else batch


def train(network, bank, arguments):
    device = bank.device
    generator = torch.Generator().manual_seed(arguments.seed)
    optimizer = torch.optim.Adam(network.parameters(), lr=arguments.rate)
    begin = time.time()
    history, sum_of_losses = [], torch.zeros((), device=device)
    step, progress = 0, 0.0
    while progress < 1:
        exact = progress > 0.5  # first in real numbers within the same ranges, then in integers
        warm = min(1, step / 200)
        for group in optimizer.param_groups:
            group["lr"] = arguments.rate * warm * (0.01 + 0.99 * math.cos(progress * math.pi / 2) ** 2)
        at = torch.randint(len(bank), (arguments.batch,), generator=generator).to(device)
        original = augmented(bank[at].float(), generator)
        small = halved(original)
        border = 2 * network.halo
        wanted = original[..., border:-border, border:-border]
        error = upscaled(network, small, exact) - wanted
        loss = (error**2).mean() if arguments.loss == "l2" else error.abs().mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        sum_of_losses += loss.detach()
        step += 1
        progress = max(step / arguments.steps, (time.time() - begin) / arguments.most_seconds)
        if step % arguments.log == 0:
            history.append((step, sum_of_losses.item() / arguments.log))
            sum_of_losses.zero_()
            print(f"{arguments.name} step {step} loss {history[-1][1]:.4f} "
                  f"{(time.time() - begin) / step * 1e3:.2f} ms/step", flush=True)
    return history


def decibels(picture, original):
    error = ((picture - original) ** 2).mean().item()
    return math.inf if error == 0 else 10 * math.log10(255**2 / error)


def finished(picture):
    return torch.clamp(torch.floor(picture + 0.5), 0, 255)


def gaussian(sigma=0.36):
    weights = [math.exp(-d * d / (2 * sigma * sigma)) for d in (-1.75, -0.75, 0.25, 1.25)]
    return [w / sum(weights) for w in weights]


@torch.no_grad()
def compare(network, folder, device):
    """PSNR of each held-out picture. Double precision holds all integers, float32 with fast
    algorithms for convolutions might not."""
    network = copy.deepcopy(network).double()
    rows = []
    for path in sorted(Path(folder).iterdir()):
        picture = read(path)
        height, width = (size // 2 * 2 for size in picture.shape[:2])
        original = torch.from_numpy(picture[:height, :width]).permute(2, 0, 1)[None]
        original = original.to(device, torch.float64)
        small = halved(original)

        def padded(halo):
            return functional.pad(small, (halo,) * 4, mode="replicate")

        bicubic = finished(enlarged(padded(2), [w / 256 for w in BICUBIC]))
        gauss = finished(enlarged(padded(2), gaussian()))
        residual = functional.pixel_shuffle(network(luma_of(padded(network.halo)), True), 2)
        base = enlarged(padded(2), BICUBIC)
        learned = finished((base + 65536 // RESIDUAL_UNIT * residual) / 65536)
        rows.append([path.stem] + [decibels(p, original) for p in (gauss, bicubic, learned)])
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pictures")
    parser.add_argument("held_out")
    parser.add_argument("out", type=Path)
    parser.add_argument("--name", default="learned")
    parser.add_argument("--hidden", type=int, default=3, help="layers of 16 to 16 channels")
    parser.add_argument("--steps", type=int, default=16000)
    parser.add_argument("--most-seconds", type=float, default=3600)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--loss", choices=["l1", "l2"], default="l1")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--side", type=int, default=96, help="of a patch")
    parser.add_argument("--log", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    torch.manual_seed(arguments.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    bank = patches(arguments.pictures, arguments.side, device)
    print(f"{arguments.name}: {len(bank)} patches", flush=True)
    network = Network(arguments.hidden).to(device)
    history = train(network, bank, arguments)

    arguments.out.mkdir(parents=True, exist_ok=True)
    network.write(arguments.out / "network.txt")
    with open(arguments.out / "loss.csv", "w", newline="") as file:
        csv.writer(file).writerows([["step", "loss"], *history])
    rows = compare(network, arguments.held_out, device)
    with open(arguments.out / "held_out.csv", "w", newline="") as file:
        csv.writer(file).writerows([["picture", "gauss", "bicubic", "learned"], *rows])
    finite = [row for row in rows if math.isfinite(row[1])]
    print(arguments.name, *(f"{n} {sum(r[i] for r in finite) / len(finite):.3f}"
                            for i, n in enumerate(["gauss", "bicubic", "learned"], 1)),
          *(f"{r[0]} {r[3] - r[2]:+.2f}" for r in rows), flush=True)


if __name__ == "__main__":
    main()
