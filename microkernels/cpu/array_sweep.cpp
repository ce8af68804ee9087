#include "microkernels/cpu/array_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace roofline {
namespace {

constexpr Index page = 512;  // doubles

// Arrays that start at the same place of a page would alias in the store-to-load check of many cores.
constexpr Index skew = 176;  // doubles, 22 lines

double first_value(Index i) { return static_cast<double>(1 + i % 8); }
constexpr double sum_of_eight = 36;
constexpr Index period = 1021;  // of the second ones: a prime, so that no other place looks the same
double second_value(Index i) { return static_cast<double>(i % period); }

/// Values that repeat: copied, because they are many and a division takes longer than memory does.
void fill(double* array, Index n, double (*value)(Index)) {
  constexpr Index repeats = 8 * period;
  for (Index i = 0; i < std::min(n, repeats); ++i) array[i] = value(i);
  for (Index i = repeats; i < n; i += repeats) std::copy_n(array, std::min(repeats, n - i), array + i);
}

bool is_summed(Mix mix) { return mix == Mix::read || is_of_costly_loads(mix); }

double sum_of_one_sweep(Mix mix, Index begin, Index length) {
  if (mix != Mix::gather) return static_cast<double>(length / 8) * sum_of_eight;
  double sum = 0;
  for (Index i = begin; i < begin + length; i += 8) sum += second_value(i) + 3 * second_value(i + 1);
  return sum;
}

}  // namespace

std::vector<int> parts_of_other_nodes(const std::vector<int>& nodes, int threads) {
  if (std::ssize(nodes) < threads) return {};
  std::vector<int> by_node(static_cast<std::size_t>(threads));
  std::iota(by_node.begin(), by_node.end(), 0);
  const auto node = [&](int thread) { return nodes[static_cast<std::size_t>(thread)]; };
  std::stable_sort(by_node.begin(), by_node.end(), [&](int a, int b) { return node(a) < node(b); });
  std::map<int, std::size_t> sizes;
  for (const int thread : by_node) ++sizes[node(thread)];
  std::size_t largest = 0;
  for (const auto& [number, size] : sizes) largest = std::max(largest, size);
  if (2 * largest > by_node.size()) return {};
  // A shift by the largest group leads out of every group.
  std::vector<int> parts(by_node.size());
  for (std::size_t i = 0; i < by_node.size(); ++i)
    parts[static_cast<std::size_t>(by_node[i])] = by_node[(i + largest) % by_node.size()];
  return parts;
}

Index ArraySweep::block_size(double set_bytes, int threads) {
  const auto part = static_cast<Index>(set_bytes / threads / sizeof(double)) / page * page + 2 * page;
  return part * threads;
}

ArraySweep::ArraySweep(std::shared_ptr<MemoryBlock> block, const BandwidthKernel& kernel, int threads, double set_bytes,
                       int windows, bool apart)
    : block_(std::move(block)),
      kernel_(kernel),
      threads_(threads),
      apart_(apart),
      parts_(static_cast<std::size_t>(threads)),
      windows_(windows),
      sums_(threads) {
  std::iota(parts_.begin(), parts_.end(), 0);
  fill_arrays(set_bytes);
}

ArraySweep::ArraySweep(std::shared_ptr<MemoryBlock> block, const BandwidthKernel& kernel, double set_bytes, int windows,
                       std::vector<int> parts)
    : block_(std::move(block)),
      kernel_(kernel),
      threads_(static_cast<int>(parts.size())),
      apart_(true),
      parts_(std::move(parts)),
      windows_(windows),
      sums_(parts_.size()) {
  fill_arrays(set_bytes);
}

void ArraySweep::fill_arrays(double set_bytes) {
  const double per_array = set_bytes / threads_ / facts(kernel_.mix).arrays / sizeof(double);
  const Index unit = Index{bandwidth_block} * windows();
  n_ = std::max(unit, static_cast<Index>(per_array) / unit * unit);
  block_->data();
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (int thread = 0; thread < threads_; ++thread) {
    const int arrays = facts(kernel_.mix).arrays;
    const double before = kernel_.mix == Mix::update ? 0 : -1;
    if (kernel_.mix == Mix::read || kernel_.mix == Mix::read_split)
      fill(array(thread, 0), n_ + 1, first_value);
    else if (kernel_.mix == Mix::gather)
      fill(array(thread, 0), n_, second_value);
    else
      std::fill_n(array(thread, 0), n_, before);
    if (arrays > 1) fill(array(thread, 1), n_, second_value);
    if (arrays > 2) fill(array(thread, 2), n_, first_value);
  }
}

double* ArraySweep::array(int thread, int which) const {
  const Index part = parts_[static_cast<std::size_t>(thread)];
  if (apart_) return block_->data() + part * (block_->size() / threads_) + which * (n_ + skew);
  return block_->data() + which * (threads_ * n_ + skew) + thread * n_;
}

void ArraySweep::run(long sweeps, int launches) {
  const int first = (last_.window + last_.launches) % windows();
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (int thread = 0; thread < threads_; ++thread) {
    double sum = 0;
    for (int launch = 0; launch < launches; ++launch) {
      const Index begin = (first + launch) % windows() * length();
      sum +=
          kernel_.run(array(thread, 0) + begin, array(thread, 1) + begin, array(thread, 2) + begin, length(), sweeps);
    }
    sums_[static_cast<std::size_t>(thread)] = sum;
  }
  for (int launch = 0; launch < launches; ++launch) {
    auto& window = windows_[static_cast<std::size_t>((first + launch) % windows())];
    window.last = sweeps;
    window.total += sweeps;
  }
  last_ = {first, launches, sweeps};
}

double ArraySweep::expected(const Window& window, Index i) const {
  const bool untouched = window.total == 0;
  switch (kernel_.mix) {
    case Mix::read:
    case Mix::read_split:
      return first_value(i);
    case Mix::gather:
      return second_value(i);
    case Mix::update:
      return static_cast<double>(window.total);
    case Mix::write:
    case Mix::write_nt:
      return untouched ? -1 : static_cast<double>(window.last);
    case Mix::copy:
    case Mix::copy_nt:
      return untouched ? -1 : second_value(i);
    default:
      return untouched ? -1 : second_value(i) + 3 * first_value(i);
  }
}

double ArraySweep::expected_sum() const {
  double sum = 0;
  for (int launch = 0; launch < last_.launches; ++launch) {
    const Index begin = (last_.window + launch) % windows() * length();
    sum += static_cast<double>(last_.sweeps) * sum_of_one_sweep(kernel_.mix, begin, length());
  }
  return sum;
}

Check ArraySweep::check() const {
  if (last_.launches == 0) return {false, "nothing has run yet"};
  const double sum = expected_sum();
  for (int thread = 0; thread < threads_; ++thread) {
    if (const double got = sums_[static_cast<std::size_t>(thread)]; is_summed(kernel_.mix) && got != sum)
      return {false, fmt::format("thread {}: sum {}, expected exactly {}", thread, got, sum)};
    for (Index begin = 0; const auto& window : windows_) {
      const auto check = compare(
          array(thread, 0) + begin, [&](Index i) { return expected(window, begin + i); }, length(), 0);
      if (!check.ok) return {false, fmt::format("thread {}, from {}: {}", thread, begin, check.message)};
      begin += length();
    }
  }
  return {};
}

}  // namespace roofline
