#include "lab.hpp"

int main(int argc, char** argv) {
    return harness::run_lab(equalize::make_lab(), argc, argv);
}
