# What the labs need to build and run without a GPU; kernels run emulated. From the root of a clone:
#
#     docker build -t labs -f containers/cpu.Dockerfile .
#     docker run --rm -it --user "$(id -u):$(id -g)" -v "$PWD:/labs" labs ./run_all.sh
FROM debian:12
COPY containers/install.sh /setup/containers/
COPY harness/cmake /setup/harness/cmake
COPY driver /setup/driver
RUN /setup/containers/install.sh
WORKDIR /labs
