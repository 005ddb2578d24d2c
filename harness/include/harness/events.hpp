#pragma once

// The programs' findings, to be read by a program: lines of JSON in the file that the environment
// variable LABS_EVENTS names. driver/run/tested.py reads them. The printed text is for people,
// and no program reads it.
//
//     {"event": "machine", "cpu": …, "gpu": …, "compiler": …, "commit": …}     list
//     {"event": "kernel", "kernel": …, "launches": …, "blocks": …, "warps": …, "barriers": …,
//      "metrics": {NAME OF NSIGHT COMPUTE: …}}                                 run --explain
//
// A benchmark:
//
//     {"event": "experiments", "names": […]}               those that it is to run
//     {"event": "fault", "variant": …, "configuration": "64x48 filter=…", "outcome": "wrong",
//      "text": …}
//     {"event": "finished", "experiment": …, "rows": …, "noisy": …}
//
// A program of tests, which its process id `run` tells from others. There is a line for each test,
// not for each configuration that the test checked: it has how many these were, and the first
// fault.
//
//     {"event": "started", "run": …, "test": "variants/ConvolutionTest.sizes/omp_rows"}
//     {"event": "checked", "run": …, "test": …, "outcome": "ok", "text": "", "seconds": …,
//      "checked": 20, "refused": 1, "first_reason": "no odd sizes", "left_out": 3}
//     {"event": "finished", "run": …}                      after the last test
//     {"event": "long", "run": …, "place": …}              a test runs for 20 s: where it is
//     {"event": "ended", "run": …, "exit_code": 0}         or "signal": 11, "place": …
//     {"event": "access", "test": …, "cause": …}           the driver: of AddressSanitizer
//
// `place` is a line of the variant, "ladder/03_omp_rows.cpp:41", or "" if it is not known.
// A test that was started and not checked ended the program. A program without `ended` was killed.
// `outcome` is one of ok, skipped, not done yet, failed, wrong, crash (the GPU is lost); `text`
// says why. `left_out` counts what would take too long to be emulated.

#include <nlohmann/json_fwd.hpp>

namespace harness {

/// True if somebody wants events.
bool has_event_file();

/// Appends a line with one write(2), so that a line is whole or absent whenever a process ends, and
/// processes may share the file. Does nothing without LABS_EVENTS. Throws Failed.
void emit(const nlohmann::ordered_json& event);

}  // namespace harness
