// The files that are handed in.

// == directory: does not compile, refused, wrong, crash
// prepare.sh makes this file a folder.

// == hard_link: does not compile, refused, wrong, crash
// prepare.sh makes this file a hard link: its other name is outside.

// == large_file: does not compile, refused, wrong, crash
// prepare.sh makes this file 1 MB long.

// == many_files: right, refused, does not compile; twin right/rows
// Right, beside a thousand files that are named as variants.

// == names: right; twin right/rows
// Right, beside files whose names are commands, options, lines and paths.

// == pipe: does not compile, refused, wrong, crash
// prepare.sh makes this file a pipe: who opens it waits for ever.

// == same_name: wrong, refused, right, does not compile; twin right/rows
// Two files of the same variant: an honest one, and one that writes zeros.
// -- 03_omp_mine.cpp
// Wrong: all zeros.
static void omp_mine(Input in, Output out, const Options& options) {
    static_cast<void>(options);
    for (int y = 0; y < in.height; ++y) std::fill_n(out.row(y), out.row_length(), std::uint8_t{0});
}

// == symbolic_link: does not compile, refused, wrong, crash
// prepare.sh makes this file a symbolic link to a file outside.

// == takes_a_reference: right; twin right/rows
// A file named as the reference. The verdict of another must not depend on it.
// -- omp_rows/omp_rows.cpp
#error "nobody compiles this"
// -- seq.cpp
// Hangs.
static void omp_mine(Input in, Output out, const Options& options) {
    static_cast<void>(in), static_cast<void>(out), static_cast<void>(options);
    for (;;) {
    }
}

// == zeros: right, does not compile, refused, wrong, crash; twin right/rows
// prepare.sh appends zero bytes.
