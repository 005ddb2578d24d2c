// one.cpp for rungs with kernels.

#include "../common/src/scratch.cpp"
#include "one.cpp"
