#pragma once

namespace harness {

/// main() of a program of tests. Returns its exit code.
int test_program(int argc, char** argv);

}  // namespace harness
