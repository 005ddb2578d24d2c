"""Mistakes of lab 2."""

from .case import Case

LAB = "lab2-integral-image"
OUTER = "omp_outer"
PASSES = "omp_two_passes"
LINES = "cuda_lines"
WARP = "cuda_warp_rows"
SHARED = "cuda_shared"
ROW = "for (int i = 0; i <= x; ++i)"
COLUMN = "for (int j = 0; j <= y; ++j)"
EXCLUSIVE = "the scan is exclusive"
GUARD = "if (x >= in.width || y >= in.height) return;"

CASES = [
    Case(OUTER, "along the columns: " + EXCLUSIVE, ("j <= y", "j < y")),
    Case(OUTER, "along the rows: " + EXCLUSIVE, ("i <= x", "i < x")),
    Case(OUTER, "along rows and columns: " + EXCLUSIVE, ("j <= y", "j < y"), ("i <= x", "i < x")),
    Case(OUTER, "row 0 is not counted", (COLUMN, COLUMN.replace("j = 0", "j = 1"))),
    Case(OUTER, "column 0 is not counted", (ROW, ROW.replace("i = 0", "i = 1"))),
    Case(OUTER, "the sums run over whole rows", ("i <= x", "i < in.width")),
    Case(OUTER, "the sums run over whole columns", ("j <= y", "j < in.height")),
    Case(OUTER, "from the pixel to the end of the image", (ROW, "for (int i = x; i < in.width; ++i)"),
         (COLUMN, "for (int j = y; j < in.height; ++j)")),
    Case(OUTER, "the pass over the columns is missing", (COLUMN, COLUMN.replace("j = 0", "j = y"))),
    Case(OUTER, "the pass over the rows is missing", (ROW, ROW.replace("i = 0", "i = x"))),
    Case(OUTER, "`sum` is declared outside the parallel region", ("            Sum sum = 0;\n", ""),
         ("#pragma omp", "    Sum sum;\n#pragma omp"), (COLUMN, "sum = 0;\n" + COLUMN)),
    Case(OUTER, "added to what the output held", ("sums.at(x, y) = sum", "sums.at(x, y) += sum")),
    Case(OUTER, "a 32-bit overflow", ("Sum sum = 0;", "std::int32_t sum = 0;")),
    Case(OUTER, "a 16-bit overflow", ("Sum sum = 0;", "std::uint16_t sum = 0;"), ("sum += in.at(i, j)",
         "sum = static_cast<std::uint16_t>(sum + in.at(i, j))")),
    Case(OUTER, "never written: row 11 (the last)", ("y < in.height;", "y < in.height - 1;")),
    Case(OUTER, "no parallel region was started", ("#pragma omp", "#pragma opm")),
    Case("omp_inner", "`sum` is declared outside the parallel region", (" reduction(+ : sum)", "")),
    Case("omp_inner", "along the rows: " + EXCLUSIVE, ("i <= x", "i < x")),
    Case(PASSES, "the pass over the columns is missing", ("strip < strips;", "strip < 0;")),
    Case(PASSES, "along the rows: " + EXCLUSIVE,
         ("        along_row += pixels[x];\n        sums[x] = along_row;",
          "        sums[x] = along_row;\n        along_row += pixels[x];")),
    Case(PASSES, "row 0 is not added to the rows below it", ("int y = 1;", "int y = 2;")),
    Case(PASSES, "the last row is left as the pass over the rows wrote it",
         ("y < sums.height;", "y < sums.height - 1;")),
    Case(PASSES, "race: ", ("schedule(static)\n        for (int y", "schedule(static) nowait\n        for (int y")),
    Case(PASSES, "`along_row` is static", ("    Sum along_row = 0;", "    static Sum along_row;\n    along_row = 0;")),
    Case(PASSES, "depends on what the output held", ("y < in.height; ++y) scan_row", "y < in.height - 1; ++y) scan_row")),
    Case(PASSES, "only the row above is added", ("int y = 1; y < sums.height; ++y", "int y = sums.height - 1; y > 0; --y")),
    Case(PASSES, "a 32-bit overflow", ("    Sum along_row = 0;", "    std::int32_t along_row = 0;")),
    Case("omp_scan", "race: ", ("#pragma omp single\n", "")),
    Case("omp_scan", "along the rows: " + EXCLUSIVE,
         ("        along_row += terms[x];\n        sums[x] = along_row + (above != nullptr ? above[x] : 0);",
          "        const Term term = terms[x];\n        sums[x] = along_row + (above != nullptr ? above[x] : 0);\n"
          "        along_row += term;")),
    Case("cuda_global", "along the columns: " + EXCLUSIVE, ("int j = y;", "int j = y - 1;")),
    Case("cuda_global", "row 0 is not counted", ("j >= 0", "j > 0")),
    Case("cuda_global", "out of bounds: ", (GUARD, "")),
    Case("cuda_global", "out of bounds: ", ("j >= 0", "j >= -1")),
    Case("cuda_global", "a launch on the default stream", (", 0, stream>>>", ">>>")),
    Case("cuda_global", "a 32-bit overflow", ("    Sum sum = 0;", "    int sum = 0;")),
    Case(LINES, "along the rows: " + EXCLUSIVE,
         ("        sum += in.at(x, y);\n        sums.at(x, y) = sum;",
          "        sums.at(x, y) = sum;\n        sum += in.at(x, y);")),
    Case(LINES, "the pass over the columns is missing",
         ("    scan_columns<<<blocks_for(in.width), threads, 0, stream>>>(sums);\n", "")),
    Case(LINES, "out of bounds: ", ("if (y >= in.height) return;", "")),
    Case(LINES, "out of bounds: ", ("x < in.width;", "x <= in.width;")),
    Case(LINES, "a grid or a block of size 0", ("(lines - 1) / block.threads() + 1", "lines / block.threads()")),
    Case(LINES, "row 0 is not added to the rows below it", ("int y = 0; y < sums.height", "int y = 1; y < sums.height")),
    Case(LINES, "a launch on the default stream", (", threads, 0, stream>>>(in, sums)", ", threads>>>(in, sums)")),
    Case(LINES, "a loop that does not end", ("x < in.width; ++x", "x < in.width;")),
    Case(SHARED, "race", ("            __syncthreads();\n            const int last_x", "            const int last_x")),
    Case(SHARED, "race", ("            }\n            __syncthreads();\n", "            }\n")),
    Case(SHARED, "only the columns up to the thread's own count", ("tile_x < block_x ? width - 1 : tx", "tx")),
    Case(SHARED, "only the rows up to the thread's own count", ("tile_y < block_y ? height - 1 : ty", "ty")),
    Case(SHARED, "out of bounds: ", ("x < in.width && y < in.height ? in.at(x, y) : 0", "in.at(x, y)")),
    Case(SHARED, "out of bounds: ", ("* sizeof(Pixel);", "* sizeof(char);")),
    Case(SHARED, "only the block's own tile is added up", ("int tile_y = 0;", "int tile_y = block_y;"),
         ("int tile_x = 0;", "int tile_x = block_x;")),
    Case(WARP, "along the rows: the last step of the scan is missing (distance 16)",
         ("distance < warp_size;", "distance < warp_size / 2;")),
    Case(WARP, "along the rows: the first step of the scan is missing", ("int distance = 1;", "int distance = 2;")),
    Case(WARP, "lane 0 for the last lane", ("values[i], warp_size - 1)", "values[i], 0)")),
    Case(WARP, "the total of the segment before it only", ("before += __shfl_sync", "before = __shfl_sync")),
    Case(WARP, "begins again every 32 values", ("before + values[i]", "values[i]")),
    Case("cuda_scan", "along the columns: the carry is lost", ("            before += total;\n", "")),
    Case("cuda_scan", "race", ("        __syncthreads();\n        Sum above", "        Sum above")),
    Case("cuda_scan", "lane 0 for the last lane", ("values[i], warp_size - 1)", "values[i], 0)")),
]
