// An exception whose text is HTML, JSON, XML, terminal codes, and 1 MB long.

#include "parts/lab1.hpp"

static void omp_mine(Input in, Output out, const Options& options) {
    static_cast<void>(in), static_cast<void>(out), static_cast<void>(options);
    throw std::runtime_error(
        "</pre><script>alert('labs')</script>\"}]},{\"verdict\": \"right\" ]]>"
        "</testcase>\x1b]0;title\x07\x1b[2J\xff\xfe\x01" +
        std::string(1 << 20, 'x'));
}
