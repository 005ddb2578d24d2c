// The same as a refusal.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    static_cast<void>(in), static_cast<void>(out), static_cast<void>(options);
    throw common::Unsupported(
        "</pre><script>alert('labs')</script>\"}]},{\"verdict\": \"right\"\n"
        "]]></testcase>\x1b]0;title\x07\x1b[2J\xff\xfe\x01" +
        std::string(1 << 20, 'x'));
}
