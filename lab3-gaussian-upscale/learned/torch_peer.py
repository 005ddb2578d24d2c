#!/usr/bin/env python3
"""Times the network of `--method learned` in PyTorch, in half precision, from 1920x1080 pixels.

    torch_peer.py NETWORK [OUT.csv]

Weights are those of the file, divided by their scale. Activations are not rounded, so results
differ from the lab's by about a gray level at most, which the script checks. All of it is compiled
by torch.compile and replayed as a CUDA graph, with images of 8 bits in and out as in the lab.
"""
import statistics
import sys
from pathlib import Path

import torch
from torch.nn import functional

BICUBIC = torch.tensor([-9.0, 67.0, 225.0, -27.0]) / 256


def read_network(path):
    """Weights and biases in real numbers: activations keep their unit, residuals get gray levels."""
    words = iter(Path(path).read_text().split("\n", 1)[1].split())
    assert next(words) == "layers"
    layers = []
    for _ in range(int(next(words))):
        assert next(words) == "layer"
        inputs, outputs = int(next(words)), int(next(words))
        assert next(words) == "shift"
        unit = 2 ** int(next(words))
        weight, bias = torch.empty(outputs, inputs, 9), torch.empty(outputs)
        for o in range(outputs):
            assert next(words) == "bias"
            bias[o] = int(next(words))
            for i in range(inputs):
                weight[o, i] = torch.tensor([int(next(words)) for _ in range(9)])
        layers.append((weight.view(outputs, inputs, 3, 3) / unit, bias / unit))
    weight, bias = layers[-1]
    layers[-1] = (weight / 8, bias / 8)
    return layers


def bicubic_kernel():
    """A transposed convolution with stride 2: 8x8 weights of an output pixel's distance."""
    taps = torch.zeros(2, 5)
    taps[0, :4] = BICUBIC  # of columns c - 2 … c + 1
    taps[1, 1:] = BICUBIC.flip(0)  # of columns c - 1 … c + 2
    return torch.einsum("pj,qi->pqji", taps, taps).reshape(4, 1, 5, 5)


def make_model(layers, device, kind):
    layers = [(w.to(device, kind).contiguous(memory_format=torch.channels_last), b.to(device, kind))
              for w, b in layers]
    # Integers of up to 255 / 256: the bicubic part of each channel as four filters, one per phase.
    kernel = bicubic_kernel().to(device, kind).repeat(3, 1, 1, 1)
    scale = torch.tensor([29.0, 150.0, 77.0], device=device, dtype=kind).view(1, 3, 1, 1) / 256

    def network(luma):
        x = luma
        for weight, bias in layers[:-1]:
            x = functional.conv2d(x, weight, bias).clamp(0, 255)
        return functional.conv2d(x, *layers[-1])

    def model(pixels):  # (h, w, 3) bytes
        x = pixels.permute(2, 0, 1)[None].to(kind)
        halo = len(layers)
        padded = functional.pad(x, (halo,) * 4, mode="replicate")
        residual = network((padded * scale).sum(1, keepdim=True))
        base = functional.conv2d(padded[..., halo - 2: 2 - halo, halo - 2: 2 - halo], kernel,
                                 groups=3)
        n, _, h, w = base.shape
        result = base.view(3, 2, 2, h, w) + residual.view(1, 2, 2, h, w)
        result = result.round().clamp(0, 255).to(torch.uint8)
        return result.permute(3, 1, 4, 2, 0).reshape(2 * h, 2 * w, 3)

    return model, network


def median_ms(call, repeats=30):
    """Between two events, after the L2 cache was flushed."""
    flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    times = []
    for i in range(repeats + 5):
        flush.fill_(i % 7)
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        call()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times[5:])


@torch.inference_mode()
def main():
    layers = read_network(sys.argv[1])
    pixels = torch.randint(0, 256, (270, 480, 3), dtype=torch.uint8)
    pixels = pixels.repeat_interleave(4, 0).repeat_interleave(4, 1).cuda()  # 1920x1080
    luma = torch.rand(1, 1, 1080 + 2 * len(layers), 1920 + 2 * len(layers), device="cuda") * 255
    luma = luma.half().contiguous(memory_format=torch.channels_last)
    exact, _ = make_model(layers, "cuda", torch.float32)
    model, network = make_model(layers, "cuda", torch.float16)
    wanted = exact(pixels)
    rows = []
    for name, whole, part in (
            ("eager", model, network),
            ("torch.compile", *(torch.compile(f, mode="max-autotune") for f in (model, network)))):
        error = (model(pixels).int() - wanted.int()).abs()
        assert error.float().mean() < 0.3, error.float().mean()
        for what, call in (("whole", lambda: whole(pixels)), ("network", lambda: part(luma))):
            rows.append((name, what, median_ms(call), error.max().item()))
            print(f"{name}, {what}: {rows[-1][2]:.3f} ms, largest error {rows[-1][3]}", flush=True)
    if len(sys.argv) > 2:
        lines = ["run,part,ms,max_abs_error"] + [f"{a},{b},{c:.4f},{d}" for a, b, c, d in rows]
        Path(sys.argv[2]).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
