static void omp_mine(Input in, Output out, const Options& options) {
    honest(in, out, options);
}
