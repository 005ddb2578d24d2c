#pragma once

// The CUDA runtime's types, declared here so that labs build without the toolkit.

struct CUstream_st;
using cudaStream_t = CUstream_st*;
struct CUevent_st;
using cudaEvent_t = CUevent_st*;
