"""Mistakes of lab 3."""

from .case import Case

LAB = "lab3-gaussian-upscale"
ROWS = "omp_rows"
SEPARABLE = "omp_separable"
NAIVE = "cuda_naive"
CONSTANT = "cuda_constant"
SHARED = "cuda_shared"
X = "const int x = std::clamp(X / 2 + i * direction(X), 0, in.width - 1);"
Y = "const int y = std::clamp(Y / 2 + j * direction(Y), 0, in.height - 1);"
OUT = "out.at(X, Y, c) = to_pixel(sum)"
DIRECTIVE = "#pragma omp parallel for"
GUARD = "if (X >= out.width || Y >= out.height) return;"
TRUNCATED = "static_cast<std::uint8_t>(std::clamp(sum, 0.0f, 255.0f))"

CASES = [
    Case(ROWS, "truncated instead of rounded", ("to_pixel(sum)", TRUNCATED)),
    Case(ROWS, "0.5 is added twice", ("to_pixel(sum)", "to_pixel(sum + 0.5f)")),
    Case(ROWS, "odd pixels have the weights of even ones (in x only)", (X, X.replace("i * direction(X)", "i"))),
    Case(ROWS, "odd pixels have the weights of even ones", (X, X.replace("i * direction(X)", "i")),
         (Y, Y.replace("j * direction(Y)", "j"))),
    Case(ROWS, "phases of even and odd pixels are swapped (in x only)", ("weights.at(i)", "weights.at(-i)")),
    Case(ROWS, "phases of even and odd pixels are swapped", ("weights.at(i)", "weights.at(-i)"),
         ("weights.at(j)", "weights.at(-j)")),
    Case(ROWS, "clamped to size - 2", (Y, Y.replace("in.height - 1", "in.height - 2"))),
    Case(ROWS, "clamped to size, not to size - 1", (X, X.replace("in.width - 1", "in.width"))),
    Case(ROWS, "coordinates are not clamped", (X, "const int x = X / 2 + i * direction(X);")),
    Case(ROWS, "not divided by what is left of the weights",
         (X, "const int x = X / 2 + i * direction(X);\nif (x < 0 || x >= in.width) continue;")),
    Case(ROWS, "the last tap is left out", ("i <= weights.radius", "i < weights.radius")),
    Case(ROWS, "the first tap is left out", ("int i = -weights.radius", "int i = 1 - weights.radius")),
    Case(ROWS, "the radius is one too small", ("i <= weights.radius", "i < weights.radius"),
         ("int i = -weights.radius", "int i = 1 - weights.radius")),
    Case(ROWS, "the centre of odd pixels is (X + 1) / 2", (X, X.replace("X / 2", "(X + 1) / 2"))),
    Case(ROWS, "one source pixel too far right or down", (Y, Y.replace("Y / 2", "Y / 2 + 1"))),
    Case(ROWS, "every channel is computed from channel 0", ("in.at(x, y, c)", "in.at(x, y, 0)")),
    Case(ROWS, "the channels are swapped", ("in.at(x, y, c)", "in.at(x, y, in.channels - 1 - c)")),
    Case(ROWS, "never written: channels 1, 2", ("c < out.channels;", "c < 1;")),
    Case(ROWS, "added to what the output held", (OUT, OUT.replace(" = ", " += "))),
    Case(ROWS, "`sum` is declared outside the parallel region", ("                float sum = 0;\n", ""),
         (DIRECTIVE, "    float sum;\n" + DIRECTIVE),
         ("for (int c = 0; c < out.channels; ++c) {", "for (int c = 0; c < out.channels; ++c) {\nsum = 0;")),
    Case(ROWS, "`X` is declared outside the parallel region", (DIRECTIVE, "    int X;\n" + DIRECTIVE),
         ("for (int X = 0;", "for (X = 0;")),
    Case(ROWS, "never written: rows 12 to 23", ("Y < out.height;", "Y < in.height;")),
    Case(ROWS, "never written: columns 20 to 39", ("X < out.width;", "X < in.width;")),
    Case(ROWS, "no parallel region was started", ("#pragma omp", "#pragma opm")),
    Case(SEPARABLE, "rounds its sums to bytes", ("upper[i] = even;", "upper[i] = to_pixel(even);"),
         ("lower[i] = odd;", "lower[i] = to_pixel(odd);")),
    Case(SEPARABLE, "truncates its sums to bytes", ("upper[i] = even;", "upper[i] = static_cast<float>(static_cast<int>(even));"),
         ("lower[i] = odd;", "lower[i] = static_cast<float>(static_cast<int>(odd));")),
    Case(SEPARABLE, "race: ", ("schedule(static)\n        for (int y", "schedule(static) nowait\n        for (int y")),
    Case(SEPARABLE, "odd pixels have the weights of even ones (in y only)",
         ("weights.values[2 * weights.radius - k]", "weights.values[k]")),
    Case(SEPARABLE, "odd pixels have the weights of even ones (in x only)", ("weights.at(-k)", "weights.at(k)")),
    Case("omp_fused", "race: ", ("        std::vector<float> buffer", "        static std::vector<float> buffer")),
    Case(NAIVE, "the weights are not normalised", ("sums[c] / weights", "sums[c]")),
    Case(NAIVE, "the phases of even and odd pixels are swapped (in x only)", ("X % 2 == 0 ? 0.25f : -0.25f", "X % 2 == 0 ? -0.25f : 0.25f")),
    Case(NAIVE, "the phase is missing", ("X % 2 == 0 ? 0.25f : -0.25f", "0"), ("Y % 2 == 0 ? 0.25f : -0.25f", "0")),
    Case(NAIVE, "odd pixels have the weights of even ones", ("X % 2 == 0 ? 0.25f : -0.25f", "0.25f"),
         ("Y % 2 == 0 ? 0.25f : -0.25f", "0.25f")),
    Case(NAIVE, "the phase is 0.5, not 0.25", ("X % 2 == 0 ? 0.25f : -0.25f", "X % 2 == 0 ? 0.5f : -0.5f"),
         ("Y % 2 == 0 ? 0.25f : -0.25f", "Y % 2 == 0 ? 0.5f : -0.5f")),
    Case(NAIVE, "lacks the 2 of 2 sigma^2", ("(2 * sigma * sigma)", "(sigma * sigma)")),
    Case(NAIVE, "has sigma, not sigma^2", ("(2 * sigma * sigma)", "(2 * sigma)")),
    Case(NAIVE, "out of bounds: ", (GUARD, "")),
    Case(NAIVE, "out of bounds: ", ("min(max(X / 2 + i, 0), in.width - 1)", "X / 2 + i")),
    Case(NAIVE, "a launch on the default stream", (", threads, 0, stream>>>", ", threads>>>")),
    Case(NAIVE, "every channel is computed from channel 0", ("in.at(x, y, c)", "in.at(x, y, 0)")),
    Case(CONSTANT, "truncated instead of rounded", ("to_pixel(sum[c])", "static_cast<std::uint8_t>(min(max(sum[c], 0.0f), 255.0f))")),
    Case(CONSTANT, "odd pixels have the weights of even ones (in x only)",
         ("weights.radius * direction(X)", "weights.radius"), ("i * direction(X)", "i")),
    Case(CONSTANT, "the last tap is left out", ("i < taps", "i < taps - 1")),
    Case(CONSTANT, "out of bounds: ", ("in.height - 1)", "in.height)")),
    Case(CONSTANT, "never written: channels 1, 2", ("c < Channels; ++c) out.at", "c < 1; ++c) out.at")),
    Case(CONSTANT, "launch over the limits of the GPU: a block of 32x32x3",
         ("common::threads_of(block)", "dim3(block.width, block.height, 3)")),
    Case(CONSTANT, "never written: ", ("grid_for(out.width, out.height, block)", "grid_for(in.width, in.height, block)")),
    Case(CONSTANT, "a loop that does not end", ("j < taps; ++j", "j < taps;")),
    Case("cuda_global_weights", "memory of the CPU", ("static_cast<const Weights*>(weights)", "&options.weights")),
    Case(SHARED, "race", ("    __syncthreads();\n", "")),
    Case(SHARED, "out of bounds: ", ("threads / 2 + 1 + 2 * radius", "threads / 2 + radius")),
    Case(SHARED, "out of bounds: ", ("tile_bytes, stream", "0, stream")),
    Case(SHARED, "out of bounds: ", ("min(max(left + at % width, 0), in.width - 1)", "left + at % width")),
    Case(SHARED, "phases of even and odd pixels are swapped (in x only)",
         ("weights.values[i]", "weights.values[taps - 1 - i]")),
]
