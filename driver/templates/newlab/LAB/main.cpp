#include "lab.hpp"

int main(int argc, char** argv) {
    return common::run_lab(@{space}@::make_lab(), argc, argv);
}
