#include "bench/library/declared/declared_traffic.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "bench/cache_model/sampler.hpp"

namespace roofline {
namespace {

constexpr double line = 64;

/// One array of what is declared: where it lies, and what is done to it.
struct Stream {
  std::uint64_t lines;
  std::uintptr_t base;
  bool reads, writes;
};

std::vector<Stream> streams_of(const DeclaredWork& work) {
  std::vector<Stream> streams;
  std::uintptr_t next = 1 << 20;
  const auto add = [&](double bytes, bool reads, bool writes) {
    const auto lines = static_cast<std::uint64_t>(std::ceil(bytes / line));
    if (lines == 0) return;
    streams.push_back({lines, next, reads, writes});
    next += (lines + 64) * static_cast<std::uint64_t>(line);
  };
  add(work.read, true, false), add(work.updated, true, true), add(work.written, false, true);
  return streams;
}

/// All streams side by side from begin to end, in chunks of a page of the longest.
void trace(const std::vector<Stream>& streams, Sampler& sampler) {
  std::uint64_t longest = 0;
  for (const auto& stream : streams) longest = std::max(longest, stream.lines);
  const auto chunks = static_cast<Index>((longest + 63) / 64);
  sampler.run(chunks, 1, [&](Index chunk) {
    auto& caches = *active_recording->caches;
    const auto part = static_cast<std::uint64_t>(chunk), parts = static_cast<std::uint64_t>(chunks);
    for (const auto& stream : streams)
      for (auto at = stream.lines * part / parts; at < stream.lines * (part + 1) / parts; ++at) {
        const auto address = stream.base + at * static_cast<std::uintptr_t>(line);
        if (stream.reads) caches.load(address, static_cast<unsigned>(line));
        if (stream.writes) caches.store(address, static_cast<unsigned>(line));
      }
  });
}

std::uint64_t whole(double amount, const char* kind) {
  if (!(amount >= 0) || amount > 9e18)
    throw std::invalid_argument(fmt::format("declares {} {}, which cannot be", amount, kind));
  return static_cast<std::uint64_t>(std::llround(amount));
}

}  // namespace

Counts declared_counts(const DeclaredWork& work, const Machine& machine, int threads) {
  const Operations operations{.add = whole(work.add, "additions"),
                              .mul = whole(work.mul, "multiplications"),
                              .fma = whole(work.fma, "FMAs"),
                              .div = whole(work.div, "divisions"),
                              .sqrt = whole(work.sqrt, "square roots")};
  const auto read = whole(work.read, "bytes read"), written = whole(work.written, "bytes written"),
             updated = whole(work.updated, "bytes updated");
  Counts counts;
  const auto streams = streams_of(work);
  if (!machine.caches.empty() && !streams.empty()) {
    std::vector<CacheHierarchy> cores(static_cast<std::size_t>(threads), CacheHierarchy(machine.caches));
    counts = count([&](Sampler& sampler) { trace(streams, sampler); }, cores);
    counts.modelled_device = "host";
    counts.regions.reset();  // that of the trace: Google Benchmark's threads open none
    counts.traffic_note = "declared arrays, streamed through " + counts.traffic_note;
  }
  counts.operations = operations;
  counts.operations_source = Source::analytic;
  if (work.precision == Precision::fp32) counts.precision = "fp32";
  if (read + written + updated > 0)
    counts.at(MemoryLevel::L1) = Traffic{static_cast<double>(read + updated), static_cast<double>(written + updated)};
  return counts;
}

}  // namespace roofline
