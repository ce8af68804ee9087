#pragma once
#include <ranges>
#include <type_traits>

namespace roofline {

/// The width of the numbers that are computed with: which compute ceiling a row is compared with.
enum class Precision { fp64, fp32 };

/// The parts of an amount of work, as its author declares it, per iteration.
struct DeclaredWork {
  double add = 0, mul = 0, fma = 0, div = 0, sqrt = 0;  ///< operations; an FMA is one operation of two FLOPs
  double read = 0, written = 0, updated = 0;            ///< bytes; an update is read and written
  double threads = 0;                                   ///< that work on it together; 0: not said
  Precision precision = Precision::fp64;

  /// Canonical FLOPs: FMA = 2, every other operation 1 (NERSC convention).
  constexpr double flops() const { return add + mul + 2 * fma + div + sqrt; }
  constexpr bool declares_nothing() const { return flops() + read + written + updated == 0; }
};

namespace detail {

/// A contiguous range in memory that knows its length: std::vector, std::array, std::span, arrays.
template <class T>
concept Array = std::ranges::contiguous_range<const T&> && std::ranges::sized_range<const T&>;

template <Array T>
double bytes_of(const T& array) {
  return static_cast<double>(std::ranges::size(array)) * sizeof(std::ranges::range_value_t<const T&>);
}
template <class T>
requires std::is_arithmetic_v<T>
double bytes_of(T bytes) { return static_cast<double>(bytes); }

/// An array, or a number of bytes.
template <class T>
concept Bytes = Array<T> || std::is_arithmetic_v<T>;
template <class T>
concept Count = std::is_arithmetic_v<T>;

/// The common part of Work and Region: one method per kind of work. Each adds to earlier declarations.
template <class Self>
class Declares {
 public:
  Self& add(Count auto n) { return more(work_.add, n); }    ///< n additions or subtractions
  Self& mul(Count auto n) { return more(work_.mul, n); }    ///< n multiplications
  Self& fma(Count auto n) { return more(work_.fma, n); }    ///< n fused multiply-adds, 2 n FLOPs
  Self& div(Count auto n) { return more(work_.div, n); }    ///< n divisions
  Self& sqrt(Count auto n) { return more(work_.sqrt, n); }  ///< n square roots

  /// An array that is read, or its number of bytes. Count each byte once, however often the source names it: the result
  /// is the intensity of the algorithm, and a roof that it cannot exceed.
  Self& read(const Bytes auto& what) { return more(work_.read, bytes_of(what)); }
  /// An array that is written from end to end, or its number of bytes. Where memory is involved its lines are read, too
  /// (write-allocate). This is added, so do not declare it.
  Self& write(const Bytes auto& what) { return more(work_.written, bytes_of(what)); }
  /// An array that is read and written, or how many bytes are.
  Self& update(const Bytes auto& what) { return more(work_.updated, bytes_of(what)); }

  /// The arithmetic is not that of doubles.
  Self& precision(Precision precision) {
    work_.precision = precision;
    return self();
  }
  /// The number of threads that share the work, if they are not Google Benchmark's: OpenMP's, a pool. The ceilings are
  /// then those of as many threads.
  Self& threads(Count auto n) {
    work_.threads = static_cast<double>(n);
    return self();
  }

  const DeclaredWork& declared() const { return work_; }

 private:
  Self& self() { return static_cast<Self&>(*this); }
  Self& more(double& what, Count auto n) {
    what += static_cast<double>(n);
    return self();
  }

  DeclaredWork work_;
};

}  // namespace detail

}  // namespace roofline
