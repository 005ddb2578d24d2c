#pragma once

// Stands in for the CUDA runtime's header in builds with LABS_CUDA=EMULATE. A name that is missing
// here is not covered by the emulation: the compiler says which.

#include <cmath>

#include "emulation/types.hpp"

// Every function may be called in a kernel, so these words mean nothing here. Variables that have
// them are translated by cuda_to_cpp.
#define __host__
#define __device__
#define __global__
#define __constant__
#define __managed__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#define CUDART_CB

/// As if compiled for compute capability 9.0, whose instructions the emulation has.
#define LABS_EMULATED
#define __CUDA_ARCH__ 900
#define CUDART_VERSION 13000

#include "emulation/api.hpp"
#include "emulation/atomics.hpp"
#include "emulation/device.hpp"
#include "emulation/instructions.hpp"
#include "emulation/intrinsics.hpp"
#include "emulation/launch.hpp"
#include "emulation/texture.hpp"
#include "emulation/variables.hpp"
