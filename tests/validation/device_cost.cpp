// What the device model costs, as Markdown: device_profiles cost > results/device-model/cost.md
#include <fmt/format.h>
#include <omp.h>

#include <bit>
#include <cstdio>
#include <ctime>

#include "apps/lbm/expected.hpp"
#include "apps/stream/stream.hpp"
#include "bench/cache_model/sampler.hpp"
#include "bench/model/statistics.hpp"
#include "bench/space/buffer.hpp"
#include "bench/virtual_gpu/memory/gpu_memory.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"
#include "tests/validation/gpp_profile.hpp"
#include "tests/validation/modelled_row.hpp"

namespace roofline {
namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Median of five of what `work` returns per second of processor time.
template <class Work>
double per_second(Work work) {
  std::vector<double> rates;
  for (int i = 0; i < 5; ++i) {
    const double start = cpu_seconds();
    const double done = work();
    rates.push_back(done / (cpu_seconds() - start));
  }
  return median(rates);
}

/// Line accesses of the warps of some blocks, one after another.
std::vector<LineAccess> recorded_lines(const GpuKernel& kernel, Index blocks) {
  std::vector<LineAccess> lines;
  const auto feed = kernel.feed();
  for (Index block = kernel.blocks / 2; block < kernel.blocks / 2 + blocks; ++block) {
    feed->begin(0, block);
    for (unsigned warp = 0; warp < kernel.warps(); ++warp)
      for (bool ended = false; !ended;) {
        const auto step = feed->step(0, warp);
        lines.insert(lines.end(), step.lines.begin(), step.lines.end());
        ended = step.ended;
      }
  }
  return lines;
}

/// Feeding alone: line accesses of all warps of some blocks.
double record(const GpuKernel& kernel, Index blocks) {
  return static_cast<double>(recorded_lines(kernel, blocks).size());
}

/// The memory model alone: sectors of recorded lines, dealt to the SMs in equal parts.
double replay(const Device& device, const std::vector<LineAccess>& lines) {
  GpuMemory memory(device, 0);
  std::uint64_t sectors = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    memory.access(static_cast<unsigned>(i * device.sms / lines.size()), lines[i]);
    sectors += static_cast<unsigned>(std::popcount(lines[i].sectors));
  }
  return static_cast<double>(sectors);
}

void print_recording(const Device& device) {
  fmt::print(
      "# What the device model costs\n\nOne core, processor time, median of five; written by "
      "`build/release/bin/device_profiles "
      "cost`. Recording: the kernel\nexecuted warp by warp as far as addresses depend on it, requests coalesced, "
      "nothing "
      "simulated. Simulating: the recorded\nsectors through L1, L2 and DRAM of v100.\n\n| launch | recording, M line "
      "accesses/s | simulating, M sectors/s |\n|---|---:|---:|\n");
  const runtime::Scope scope("v100");
  const auto row = [&](const std::string& name, const GpuKernel& kernel, Index blocks) {
    const auto lines = recorded_lines(kernel, blocks);
    const double recording = per_second([&] { return record(kernel, blocks); });
    const double simulating = per_second([&] { return replay(device, lines); });
    fmt::print("| {} | {:.0f} | {:.0f} |\n", name, recording * 1e-6, simulating * 1e-6);
    std::fflush(stdout);
  };
  const auto compiled = [&](const std::string& name, const std::string& family, const Sizes& sizes, Index blocks) {
    const auto of = modelled_row(name, family, sizes);
    row(name, of.kernels.front(), blocks);
  };
  compiled("stream/triad/n:4194304", "stream", {Index{1} << 22}, 1024);
  compiled("stencil/7pt/n:258", "stencil", {258}, 4096);
  compiled("gsrb/fp/op:fv4/level:6", "gsrb", {6}, 128);
  for (const char* version : {"v0", "v4"})
    compiled(lbm::collide_name(version, {256, 1024}, true), "lbm", {256, 1024}, 160);
  for (const int nw : {1, 6}) compiled(fmt::format("gpp/nw:{}/fma:1/stride:1", nw), "gpp", {512, 2, 4096, 64}, 1024);
}

void print_published(const Device& device) {
  fmt::print(
      "\nPublished sizes by sampling, the two schedules next to each other on {} threads:\n\n| launch | blocks | "
      "sample "
      "| "
      "seconds |\n|---|---:|---:|---:|\n",
      omp_get_max_threads());
  const GpuModel model(device);
  const auto published = [&](const std::string& name, const GpuKernel& kernel) {
    const double start = omp_get_wtime();
    const auto counts = model.count(kernel, affordable(device, kernel));
    fmt::print("| {} | {} | {} | {:.1f} |\n", name, kernel.blocks, counts.sample(), omp_get_wtime() - start);
    std::fflush(stdout);
  };
  const auto gpp = [&](int nw, Index stride) {
    const auto name = fmt::format("gpp/nw:{}/fma:1/stride:{}", nw, stride);
    published(name, modelled_row(name, "gpp", gpp::published_sizes).kernels.front());
  };
  for (const int nw : {1, 3}) gpp(nw, 1);
  for (const Index stride : {1, 2, 4, 8, 16}) gpp(6, stride);
  for (const char* version : {"v0", "v4"}) {
    const auto name = lbm::collide_name(version, {1920, 7680}, true);
    published(name, modelled_row(name, "lbm", {1920, 7680}).kernels.front());
  }
}

void print_cpu_side() {
  fmt::print(
      "\nOn the CPU side (counting space, packs of eight; 48 KiB/12, 1 MiB/16 and 32 MiB/16 caches):\n\n| sweep | "
      "recording, M accesses/s | with the cache model |\n|---|---:|---:|\n");
  constexpr Index n = Index{1} << 22, chunks = 64;
  const Buffer a(n), b(n), c(n);
  const stream::Triad triad{a.view(), b.view(), c.view(), 0.4};
  const auto sweep = [&](CacheHierarchy* caches) {
    Sampler sampler(caches, true);
    Counting<true> space(sampler);
    space.parallel(chunks, [&](Index k) { space.lanes(k * (n / chunks), (k + 1) * (n / chunks), triad); });
    return 3.0 * n;
  };
  CacheHierarchy caches(
      {{MemoryLevel::L1, 48 << 10, 12}, {MemoryLevel::L2, 1 << 20, 16}, {MemoryLevel::L3, 32 << 20, 16}});
  const double recording = per_second([&] { return sweep(nullptr); });
  const double simulating = per_second([&] { return sweep(&caches); });
  fmt::print("| triad of {} elements | {:.0f} | {:.0f} |\n", n, recording * 1e-6, simulating * 1e-6);
}

}  // namespace

void print_cost();
void print_cost() {
  const auto device = find_device("v100");
  print_recording(device);
  print_published(device);
  print_cpu_side();
}

}  // namespace roofline
