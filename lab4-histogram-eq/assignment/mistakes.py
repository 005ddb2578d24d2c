"""Mistakes of lab 4."""

from mistakes import Case

ROWS = "omp_rows"
THREE = "cuda_three_kernels"
DEVICE = "cuda_device_table"
# The table that a student writes in place of the given one.
CALL = "table_from_histogram(histogram)"
OWN = """[&] {
        const Count pixels = static_cast<Count>(in.width) * static_cast<Count>(in.height);
        Table values{};
        Count cdf = 0;
        Count cdf_min = 0;
        for (std::size_t level = 0; level < levels; ++level) {
            cdf += histogram[level];
            if (cdf_min == 0) cdf_min = cdf;
            if (cdf_min == pixels) {
                values[level] = static_cast<std::uint8_t>(level);
                continue;
            }
            const float scale = 255.0f / static_cast<float>(pixels - cdf_min);
            values[level] = static_cast<std::uint8_t>(rounded(static_cast<float>(cdf - cdf_min) * scale));
        }
        return values;
    }()"""
ROUNDED = "rounded(static_cast<float>(cdf - cdf_min) * scale)"


def own(old: str, new: str) -> tuple[str, str]:
    assert old in OWN, old
    return (CALL, OWN.replace(old, new))


CASES = [
    Case("omp_words", "a shift by 32 or more", ("std::uint64_t{table[pixels >> (8 * i) & 0xff]}", "std::uint32_t{table[pixels >> (8 * i) & 0xff]}")),
    Case(ROWS, "`counts` ", (" \\\n    reduction(+ : counts[:levels])", "")),
    Case(ROWS, "the last row is not counted", ("y < in.height; ++y) {\n        for (int x = 0; x < in.width; ++x) ++counts",
                                              "y < in.height - 1; ++y) {\n        for (int x = 0; x < in.width; ++x) ++counts")),
    Case(ROWS, "the last column is not counted", ("x < in.width; ++x) ++counts", "x < in.width - 1; ++x) ++counts")),
    Case(ROWS, "the first column is not counted", ("int x = 0; x < in.width; ++x) ++counts", "int x = 1; x < in.width; ++x) ++counts")),
    Case(ROWS, "never written: column 19 (the last)", ("x < in.width; ++x) out", "x < in.width - 1; ++x) out")),
    Case(ROWS, "the look-up is missing", ("= table[in.at(x, y)]", "= in.at(x, y)")),
    Case(ROWS, "the values are inverted", ("= table[in.at(x, y)]", "= 255 - table[in.at(x, y)]")),
    Case(ROWS, "added to what the output held", ("out.at(x, y) = ", "out.at(x, y) += ")),
    Case(ROWS, "the table is looked up twice", ("= table[in.at(x, y)]", "= table[table[in.at(x, y)]]")),
    Case(ROWS, "no parallel region was started", ("#pragma omp", "#pragma opm")),
    Case(ROWS, "cdf_min is hist[0]", own("if (cdf_min == 0) cdf_min = cdf;", "cdf_min = histogram[0];")),
    Case(ROWS, "cdf_min is not subtracted", own("if (cdf_min == 0) cdf_min = cdf;", "")),
    Case(ROWS, "the divisor is N, and not N - cdf_min", own("pixels - cdf_min)", "pixels)")),
    Case(ROWS, "the divisor is N - 1", own("pixels - cdf_min)", "pixels - 1)")),
    Case(ROWS, "N is width * width", own("static_cast<Count>(in.height)", "static_cast<Count>(in.width)")),
    Case(ROWS, "the division is one of integers", own(ROUNDED, "(cdf - cdf_min) / (pixels - cdf_min) * 255")),
    Case(ROWS, "the minimum and the maximum in place of the CDF",
         (CALL, """[&] {
        int low = 0, high = 255;
        while (histogram[low] == 0) ++low;
        while (histogram[high] == 0) --high;
        Table values{};
        for (int level = 0; level < 256; ++level) {
            values[level] = static_cast<std::uint8_t>(
                low == high ? level : rounded(static_cast<float>(std::clamp(level, low, high) - low) * 255.0f / static_cast<float>(high - low)));
        }
        return values;
    }()"""), ("#include ", "#include <algorithm>\n#include ")),
    Case(ROWS, "the divisor is N - 1, and not N - cdf_min; and half-way cases are rounded up",
         (CALL, OWN.replace("pixels - cdf_min)", "pixels - 1)").replace(ROUNDED, "static_cast<int>(static_cast<float>(cdf - cdf_min) * scale + 0.5f)"))),
    Case(ROWS, "values are truncated instead of rounded", own(ROUNDED, ROUNDED.replace("rounded", "static_cast<int>"))),
    Case(ROWS, "half-way cases are rounded up", own(ROUNDED, "static_cast<int>(static_cast<float>(cdf - cdf_min) * scale + 0.5f)")),
    Case(ROWS, "the factor is 256, not 255", own("255.0f", "256.0f")),
    Case(ROWS, "a constant image becomes 0", own("cdf_min == pixels", "false")),
    Case(ROWS, "the CDF: the scan is exclusive",
         (CALL, OWN.replace("            cdf += histogram[level];\n", "")
          .replace("++level) {", "cdf += histogram[level], ++level) {"))),
    Case(ROWS, "8-bit counters overflow", own("cdf += histogram[level];", "cdf += histogram[level] & 255;")),
    Case(ROWS, "16-bit counters overflow",
         ("parallel for schedule(static) num_threads(options.threads) firstprivate(in) \\\n    reduction(+ : counts[:levels])",
          "parallel num_threads(options.threads)\n{ std::uint16_t mine[levels] = {};\n#pragma omp for schedule(static)"),
         ("++counts[in.at(x, y)];\n    }", "++mine[in.at(x, y)];\n    }\n#pragma omp critical\n"
          "for (std::size_t i = 0; i < levels; ++i) counts[i] += mine[i]; }")),
    Case(ROWS, "the CDF: the carry is lost: the sum begins again every 64 values",
         (CALL, OWN.replace("cdf += histogram[level];", "cdf = level % 64 == 0 ? histogram[level] : cdf + histogram[level];")
          .replace(ROUNDED, "static_cast<int>(std::nearbyint(static_cast<float>(static_cast<int>(cdf - cdf_min)) * scale))")),
         ("#include ", "#include <cmath>\n#include ")),
    Case("omp_tables", "the last width % 4 pixels of a row are not counted",
         ("    for (; x < width; ++x) ++counts[row[x]];\n", "")),
    Case("omp_tables", "only one in 4 pixels of a row is counted", ("i < tables * levels; ++i)", "i < levels; ++i)")),
    Case("omp_tables", "the last of 4 histograms is not merged", ("i < tables * levels; ++i)", "i < (tables - 1) * levels; ++i)")),
    Case("omp_tables", "`counts`", (" \\\n    reduction(+ : counts)", "")),
    Case(THREE, "race", ("        __syncthreads();  // all reads before any write\n", "")),
    Case(THREE, "race", ("        __syncthreads();  // all writes before any read\n", "")),
    Case(THREE, "the last step of the scan is missing (distance 128)", ("distance < levels;", "distance < levels / 2;")),
    Case(THREE, "the first step of the scan is missing", ("int distance = 1;", "int distance = 2;")),
    Case(THREE, "race", ("atomicAdd(&counts[in.at(x, y)], Count{1})", "++counts[in.at(x, y)]")),
    Case(THREE, "race", ("if (counts[i] > 0) atomicAdd(&histogram[i], counts[i])", "histogram[i] += counts[i]")),
    Case(THREE, "never written is read", ("counts[i] = 0;", "if (i > 0) counts[i] = 0;")),
    Case(THREE, "cdf_min is hist[0]", ("*std::find_if(cdf.begin(), cdf.end(), [](Count n) { return n > 0; })", "cdf[0]")),
    Case(THREE, "out of bounds: ", ("if (x < in.width && y < in.height) atomicAdd", "atomicAdd")),
    Case(THREE, "out of bounds: ", ("if (x < in.width && y < in.height) out", "out")),
    Case(THREE, "a launch on the default stream", ("threads_of(block), 0, stream>>>(in, tables.histogram)", "threads_of(block)>>>(in, tables.histogram)")),
    Case(THREE, "a launch on the default stream", ("<<<1, levels, 0, stream>>>", "<<<1, levels>>>")),
    Case(THREE, "the look-up is missing", ("out.at(x, y) = table[in.at(x, y)]", "out.at(x, y) = in.at(x, y)")),
    Case(THREE, "a grid or a block of size 0", ("common::grid_for(in.width, in.height, block)", "dim3(in.width / block.width, in.height / block.height)")),
    Case(THREE, "memory of the CPU", ("(in, out, tables.table)", "(in, out, trip->table.data())")),
    Case(DEVICE, "race", ("atomicAdd(&counts[in.at(x, y)], Count{1})", "++counts[in.at(x, y)]")),
    Case(DEVICE, "race", ("    __syncthreads();\n    const int x", "    const int x")),
    Case(DEVICE, "race", ("Count{1});\n    __syncthreads();", "Count{1});")),
    Case(DEVICE, "out of bounds: ", ("i < levels; i += threads_in_block()) counts[i] = 0", "i <= levels; i += threads_in_block()) counts[i] = 0")),
    Case(DEVICE, "the last row is not counted", ("y < in.height) atomicAdd", "y < in.height - 1) atomicAdd")),
    Case(DEVICE, "the last, partial blocks are not counted", ("x < in.width && y < in.height) atomicAdd",
         "x < in.width / blockDim.x * blockDim.x && y < in.height / blockDim.y * blockDim.y) atomicAdd")),
    Case(DEVICE, "the values are inverted", ("= table[in.at(x, y)]", "= 255 - table[in.at(x, y)]")),
    Case(DEVICE, "a loop that does not end", ("i += threads_in_block()) counts[i] = 0;", "i += 0) counts[i] = 0;")),
    Case("cuda_warp_histograms", "race", ("atomicAdd(&mine[level], Count{1})", "++mine[level]")),
    Case("cuda_warp_histograms", "out of bounds: ", ("* levels * sizeof(Count)", "* sizeof(Count)")),
    Case("omp_tables", "it keeps something of an earlier call",
         ("    Count counts[tables * levels] = {};", "    static Count counts[tables * levels];")),
    Case("cuda_grid_stride", "pixels are counted several times", ("[&](int x, int y) { atomicAdd",
         "[&](int x, int y) { for (int i = 0; i <= y / static_cast<int>(blockDim.y); ++i) atomicAdd")),
    Case(DEVICE, "the last width % 4 pixels of a row are not counted",
         ("x < in.width && y < in.height) atomicAdd", "x < in.width / 4 * 4 && y < in.height) atomicAdd")),
    Case("mpi_reduce", "MPI_Scan in place of MPI_Allreduce",
         ("MPI_Iallreduce(MPI_IN_PLACE, first", "MPI_Iscan(MPI_IN_PLACE, first"),
         ("MPI_Iallreduce(MPI_IN_PLACE, second", "MPI_Iscan(MPI_IN_PLACE, second")),
    Case("omp_words", "each is shifted as an int",
         ("std::uint64_t{table[pixels >> (8 * i) & 0xff]} << (8 * i)",
          "static_cast<std::uint64_t>(table[pixels >> (8 * i) & 0xff] << (8 * i))")),
    Case(THREE, "rows are addressed as if they had no padding", ("counts[in.at(x, y)]", "counts[in.data[y * in.width + x]]")),
    Case("mpi_reduce", "the first half of a rank's rows counts once per rank",
         ("    Histogram second", "    MPI_Wait(&sums[0], MPI_STATUS_IGNORE);\n    Histogram second"),
         ("    MPI_Iallreduce(MPI_IN_PLACE, second", """    for (std::size_t level = 0; level < levels; ++level) second[level] += first[level];
    first = {};
    MPI_Iallreduce(MPI_IN_PLACE, second""")),
    Case("mpi_reduce", "the number of pixels in the rank's own rows", ("const Table table = table_from_histogram(first);",
         "Table table{};\n    Count cdf = 0;\n    Count cdf_min = 0;\n    for (std::size_t level = 0; level < levels; ++level) {\n"
         "        cdf += first[level];\n        if (cdf_min == 0) cdf_min = cdf;\n        table[level] = table_value("
         "static_cast<int>(level), cdf, cdf_min, static_cast<Count>(in.width) * static_cast<Count>(in.height));\n    }")),
    Case("mpi_reduce", "MPI_Iallreduce for the sum of all ranks completed", ("    MPI_Waitall(2, sums, MPI_STATUSES_IGNORE);\n", "")),
    Case("mpi_reduce", "MPI_Iallreduce for the sum of all ranks completed", ("MPI_Waitall(2, sums,", "MPI_Waitall(1, sums,")),
    Case("cuda_grid_stride", "the step of a loop is smaller than what all threads take", ("std::int64_t{gridDim.x} * blockDim.y", "std::int64_t{gridDim.x}")),
    Case("cuda_warp_histograms", "gives fewer bytes of dynamic shared memory", ("warps_in(block.threads()) * levels", "block.threads() / warp_size * levels")),
    Case("omp_tables", "beyond its array `counts[tables * levels - 1]`", ("counts[tables * levels] =", "counts[tables * levels - 1] =")),
    Case("omp_tables", "16-bit counters overflow; difference", ("    Count counts[", "    std::uint16_t counts["),
         ("int width, Count* counts", "int width, std::uint16_t* counts")),
    Case("cuda_shared_atomics", "8-bit counters overflow; difference",
         ("__shared__ Count counts[levels];", "__shared__ Count counts[levels / 4];"),
         ("i < levels; i += threads_in_block()) counts[i] = 0", "i < levels / 4; i += threads_in_block()) counts[i] = 0"),
         ("atomicAdd(&counts[level], Count{1})", "atomicAdd(&counts[level / 4], Count{1} << (8 * (level % 4)))"),
         ("        if (counts[i] > 0) atomicAdd(&histogram[i], counts[i]);",
          "        const Count count = counts[i / 4] >> (8 * (i % 4)) & 255;\n        if (count > 0) atomicAdd(&histogram[i], count);")),
    Case("omp_words", "each group of 8 values is stored with each two neighbours exchanged",
         ("& 0xff]} << (8 * i)", "& 0xff]} << (8 * (i ^ 1))")),
    Case("cuda_grid_stride", "in different steps of a loop", ("x += blockDim.x", "x += blockDim.x / 2")),
    Case(THREE, "differ in blockIdx.y only", ("int y = blockIdx.y * blockDim.y + threadIdx.y;\n    if (x < in.width && y < in.height) atomicAdd",
                                             "int y = threadIdx.y;\n    if (x < in.width && y < in.height) atomicAdd")),
    Case(THREE, "take its last column or row again", ("if (x < in.width && y < in.height) atomicAdd(&counts[in.at(x, y)]",
                                                     "if (x < in.width) atomicAdd(&counts[in.at(x, min(y, in.height - 1))]")),
    Case("mpi_reduce", "the others none: MPI_Reduce in place of MPI_Allreduce",
         ("MPI_Iallreduce(MPI_IN_PLACE, first.data(), levels, MPI_UINT32_T, MPI_SUM, ranks.comm, &sums[0]);",
          "sums[0] = sums[1] = MPI_REQUEST_NULL;"),
         ("    MPI_Iallreduce(MPI_IN_PLACE, second.data(), levels, MPI_UINT32_T, MPI_SUM, ranks.comm,\n"
          "                   &sums[1]);\n", ""),
         ("    const Table table = table_from_histogram(first);",
          "    Histogram all{};\n"
          "    MPI_Reduce(first.data(), all.data(), levels, MPI_UINT32_T, MPI_SUM, 0, ranks.comm);\n"
          "    const Table table = table_from_histogram(all);")),
    Case("cuda_lane_histograms", "two layouts of 32 histograms: where pixels are counted, histogram i has its count of a level at level * 32 + i",
         ("counts[level * lanes + (i + thread) % lanes]", "counts[(i + thread) % lanes * levels + level]")),
    Case(ROWS, "the padding after a row is counted as pixels: the bytes of its last vector of 8",
         ("x < in.width; ++x) ++counts", "x < (in.width + 7) / 8 * 8; ++x) ++counts")),
    Case(ROWS, "the division comes last, and half-way cases are rounded up",
         own(ROUNDED, "(std::int64_t{510} * (cdf - cdf_min) + pixels - cdf_min) / (2 * std::int64_t{pixels - cdf_min})")),
]
