// In a file of its own, because the judges of grading/ link this library and have another main().

#include "testing_program.hpp"

int main(int argc, char** argv) {
    return harness::test_program(argc, argv);
}
