# What the labs need to build and run on an NVIDIA GPU, with Nsight Compute and compute-sanitizer.
# The host needs a driver of version 580 or newer and the NVIDIA Container Toolkit. From the root of
# a clone:
#
#     docker build -t labs-cuda -f containers/cuda.Dockerfile .
#     docker run --rm -it --gpus all --user "$(id -u):$(id -g)" -v "$PWD:/labs" labs-cuda ./run_all.sh
#
# With `--cap-add SYS_ADMIN` instead of `--user`, Nsight Compute may read the counters.
# For an older driver (525 or newer): --build-arg CUDA=12.6.3-devel-ubuntu24.04
ARG CUDA=13.0.1-devel-ubuntu24.04
FROM nvidia/cuda:${CUDA}
COPY containers/install.sh /setup/containers/
COPY harness/cmake /setup/harness/cmake
COPY driver /setup/driver
RUN /setup/containers/install.sh
WORKDIR /labs
