#pragma once

namespace upscale {

/// The weights of the taps along one axis. In all methods, the two-dimensional weights are products
/// of one for x and one for y.
///
/// Output column X lies a quarter of a pixel to the left of the centre of source column c = X / 2
/// if X is even, and a quarter to the right if it is odd; the two phases mirror each other. So one
/// vector serves both: tap k is column c + k for even X, and column c - k for odd X. Its sum is 1.
/// Coordinates are clamped to the image, so no weight is ever missing and no sum is divided.
struct Weights {
    static constexpr int max_radius = 7;

    int radius = 0;

    /// The first 2 radius + 1 are used. The array is larger than the largest radius needs, because
    /// nvcc copies a kernel parameter of up to 128 bytes to each thread's local memory if it is
    /// indexed at run time; a larger one stays in constant memory.
    float values[32] = {};

    /// The weight of tap k, -radius <= k <= radius.
    constexpr float at(int k) const { return values[radius + k]; }
};

/// The source coordinate of tap 1 minus that of tap 0, for output column or row X. The phase
/// selects the pixel, not the weight, so that all lanes of a warp read the same weight at the same
/// time.
constexpr int direction(int X) {
    return X % 2 == 0 ? 1 : -1;
}

/// exp(-d^2 / (2 sigma^2)) at the distances d = k + 0.25. Throws BadUsage unless 1 <= radius <= 7
/// and sigma is a positive, finite number for which some weight is more than 0.
Weights gaussian_weights(int radius, double sigma);

/// Cubic convolution with a = -0.75, which is cv::resize's choice (Keys, "Cubic convolution
/// interpolation for digital image processing", IEEE TASSP 1981; his a is -0.5). Radius 2, of which
/// four taps count.
Weights bicubic_weights();

/// The polynomial of degree 3 through four pixels, two on each side of the sample, which is what
/// NPP calls cubic. Radius 2, of which four taps count.
Weights lagrange_weights();

/// 1 - |d| for |d| < 1. Radius 1, of which two taps count.
Weights bilinear_weights();

/// sinc(d) sinc(d / 4) for |d| < 4, with sinc(d) = sin(pi d) / (pi d). Radius 4, of which eight
/// taps count.
Weights lanczos_weights();

}  // namespace upscale
