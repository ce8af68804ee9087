#pragma once
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/fft/fft.hpp"
#include "bench/space/buffer.hpp"
#include "bench/space/noise.hpp"
#include "bench/space/workload.hpp"

namespace roofline::fft {

/// The radices of the passes of a transform of n numbers: `radix` as often as it goes, then what remains.
inline std::vector<int> passes(Index n, int radix) {
  std::vector<int> all;
  for (; n > 1; n /= all.back()) all.push_back(static_cast<int>(std::min<Index>(radix, n)));
  return all;
}

/// Each pass has n / R butterflies for each transform.
inline std::uint64_t declared_flops(Index n, Index batch, int radix) {
  std::uint64_t flops = 0;
  for (const int r : passes(n, radix)) flops += static_cast<std::uint64_t>(n / r * batch) * butterfly_flops(r);
  return flops;
}

/// `batch` transforms of n complex numbers, out of place, eight side by side. Each input is a wave whose frequency lies
/// between two of the transform's, so that its transform is known: of x_j = a exp(2 pi i f j / n) it is
///   X_k = a sin(pi d) / sin(pi d / n) exp(i pi (d - d / n)),  d = f - k.
struct Problem {
  Index n, batch;
  std::uint64_t seed;
  Buffer x, y, twiddles;

  Problem(Index length, Index transforms, std::uint64_t chosen)
      : n(length), batch(transforms), seed(chosen), x(2 * n * batch), y(2 * n * batch), twiddles(2 * n) {
    const auto turn = [this](double part) {  // of a whole one in n, exact where n is a power of two
      return std::polar(1.0, 2 * std::numbers::pi * part / static_cast<double>(n));
    };
    for (Index k = 0; k < n; ++k) {
      const auto w = turn(static_cast<double>(-k));
      twiddles[2 * k] = w.real();
      twiddles[2 * k + 1] = w.imag();
    }
#pragma omp parallel for schedule(static)
    for (Index first = 0; first < x.size(); first += element)
      for (Index lane = 0; lane < lanes; ++lane) {
        const auto number = number_of(first + lane);
        const double part = std::fmod(frequency(number.transform) * static_cast<double>(number.k), double(n));
        const auto z = amplitude(number.transform) * turn(part);
        x[first + lane] = z.real();
        x[first + lanes + lane] = z.imag();
      }
  }

  struct Number {
    Index transform, k;
  };
  Number number_of(Index at) const { return {at / element / n * lanes + at % lanes, at / element % n}; }
  double amplitude(Index transform) const { return Noise(seed, 1).positive(transform); }
  /// A quarter, half or three quarters above a multiple.
  double frequency(Index transform) const {
    const auto bits = mix_bits(static_cast<std::uint64_t>(transform) + 1 + mix_bits(seed));
    return static_cast<double>(bits % static_cast<std::uint64_t>(n)) + 0.25 * static_cast<double>(1 + (bits >> 32) % 3);
  }

  Check check() const {
    const auto expected = [this](Index at) {
      const auto [transform, k] = number_of(at);
      // The nearest of the frequencies that are one for the transform: a sine near pi would not be exact.
      const double d = std::remainder(frequency(transform) - static_cast<double>(k), static_cast<double>(n));
      const double part = d / static_cast<double>(n);
      const double reduced = std::fmod(d, 2.0), pi = std::numbers::pi;
      const double size = amplitude(transform) * std::sin(pi * reduced) / std::sin(pi * part);
      const double angle = pi * (reduced - part);
      return size * (at / lanes % 2 == 0 ? std::cos(angle) : std::sin(angle));
    };
    return compare(y.data(), expected, y.size(), 1e-13, std::sqrt(static_cast<double>(n)));
  }
};

inline std::string row_name(int radix, Index n, Index batch) {
  return "fft/radix:" + std::to_string(radix) + "/n:" + std::to_string(n) + "/batch:" + std::to_string(batch);
}

inline void require_valid(Index n, Index batch) {
  constexpr Index longest = Index{1} << 24;
  if (n < 2 || n > longest || (n & (n - 1)) != 0)
    throw std::invalid_argument("--fft=" + std::to_string(n) + "," + std::to_string(batch) +
                                ": n must be a power of two, 2..2^24");
  if (batch < 1 || batch % lanes != 0)
    throw std::invalid_argument("--fft=" + std::to_string(n) + "," + std::to_string(batch) +
                                ": the batch must be a multiple of " + std::to_string(lanes));
}

}  // namespace roofline::fft
