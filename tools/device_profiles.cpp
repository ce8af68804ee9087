// The device model beside published profiles, and what it costs, as Markdown:
//   device_profiles v100 > results/device-model/v100.md
//   device_profiles cost > results/device-model/cost.md
#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>

#include "apps/gpp_profile.hpp"
#include "apps/gsrb_gpu.hpp"
#include "apps/gsrb_profile.hpp"
#include "apps/lbm_gpu.hpp"
#include "apps/lbm_profile.hpp"
#include "apps/stencil.hpp"
#include "apps/stencil_gpu.hpp"
#include "apps/stream.hpp"
#include "apps/stream_gpu.hpp"
#include "bench/counters/gpu_memory.hpp"
#include "bench/model/statistics.hpp"
#include "bench/space/buffer.hpp"
#include "bench/space/sampler.hpp"

namespace roofline {
namespace {

/// How far a window is from the whole launch: the worst of the four scenarios, for reads and writes of L2 and DRAM.
std::string sampling_row(const GpuModel& model, const GpuKernel& kernel, const Sampling& sampling) {
  const auto whole = model.count(kernel), window = model.count(kernel, sampling);
  using Scenario = GpuCounts::Scenario;
  std::string row =
      fmt::format("| {} | {} | {} after {} |", kernel.name, kernel.blocks, sampling.waves, sampling.warm_up);
  for (const auto schedule : {Schedule::lockstep, Schedule::greedy})
    for (const auto quantity : {&Scenario::l2_read, &Scenario::dram_read, &Scenario::dram_write}) {
      double worst = 0;
      for (std::size_t i = 0; i < whole.scenarios.size(); ++i) {
        const auto &a = whole.scenarios[i], &b = window.scenarios[i];
        // What a dirty L2 held before belongs to the edge of a launch, which a window of its middle leaves out.
        if (a.schedule == schedule && !a.dirty && a.*quantity > 0)
          worst = std::max(worst, std::abs(b.*quantity / (a.*quantity) - 1));
      }
      row += fmt::format(" {:.2f} % |", 100 * worst);
    }
  return row + (whole.exact == window.exact ? " yes |\n" : " NO |\n");
}

void print_sampling(const GpuModel& model) {
  fmt::print(
      "\n## Windows against the whole launch\n\nDeviation of a sampled window from the full simulation of the same "
      "launch, L2 clean before it.\n\n| launch | blocks | waves | lockstep L2 read | DRAM read | DRAM write | greedy "
      "L2 "
      "read | DRAM read | DRAM write | exact counts equal |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n");
  const auto row = [&](const GpuKernel& kernel, const Sampling& sampling) {
    fmt::print("{}", sampling_row(model, kernel, sampling));
    std::fflush(stdout);
  };
  const auto& device = model.device();
  const auto triad = stream::gpu_kernel("triad", Index{1} << 23);
  row(triad, window_of(device, triad, 24.0 * triad.threads, 4));
  const auto stencil = stencil::gpu_kernel(258, 7);
  row(stencil, window_of(device, stencil, 16.0 * stencil.threads, 8, stencil.blocks / 256));
  const auto lattice = std::make_shared<const lbm::GpuLattice>(lbm::Grid{1024, 1024});
  for (const auto version : {lbm::GpuVersion::v0, lbm::GpuVersion::v4}) {
    const auto collide = lbm::gpu_collide(lattice, version);
    row(collide, window_of(device, collide, 592.0 * collide.threads, 2));
  }
  const auto problem = std::make_shared<const gpp::GpuProblem>(512, 1024, 8);
  for (const int nw : {1, 6}) {
    const auto gpp = gpp::gpu_kernel<true>(problem, nw);
    row(gpp, {.waves = 4, .warm_up = 2, .period = 1});
  }
}

void print_all(const std::string& name) {
  const GpuModel model(find_device(name));
  fmt::print(
      "# Device model beside published profiles, {}\n\nNothing here was measured: the model (hash {}) of "
      "bench/machine/devices/{}.json executes the kernels'\nown sources. Written by "
      "`build/release/bin/device_profiles {}`.\n\n## GSRB_FP, fv4, 64^3 (NERSC talk, nvprof)\n\n{}",
      model.device().name, model.device().model_hash(), name, name, markdown("GSRB_FP", gsrb::compare_profile(model)));
  std::fflush(stdout);

  const auto problem = gpp::published_problem();
  std::vector<ComparisonRow> rows;
  for (int nw = 1; nw <= gpp::max_nw; ++nw)
    for (auto& row : gpp::compare_profile(model, problem, nw, 1)) rows.push_back(std::move(row));
  fmt::print(
      "\n## GPP, published problem (512, 2, 32768, 20), per inner iteration\n\nOne wave of blocks after one, in "
      "the middle of the launch.\n\n{}",
      markdown("nw = 1 .. 6", rows));
  fmt::print(
      "\n## GPP strides, nw = 6, bytes per inner iteration\n\nPublished: bytes of L1 and L2 double from stride 1 to 2 "
      "and stay almost constant then.\n\n{}",
      gpp::stride_table(model, problem, {{1, 2, 4, 8, 16}}, 1));
  std::fflush(stdout);
  fmt::print("\n## GSRB methods by level\n\n{}", gsrb::method_table(model, {5, 6, 7, 8}));
  fmt::print("\n## LBM ladder, 1920 x 7680 sites\n\nRequests per population.\n\n{}",
             lbm::ladder_table(model, {1920, 7680}));
  std::fflush(stdout);
  print_sampling(model);
}

using Clock = std::chrono::steady_clock;

/// Median of five of what `work` returns per second.
template <class Work>
double per_second(Work work) {
  std::vector<double> rates;
  for (int i = 0; i < 5; ++i) {
    const auto start = Clock::now();
    const double done = work();
    rates.push_back(done / std::chrono::duration<double>(Clock::now() - start).count());
  }
  return median(rates);
}

/// Recording alone: lane accesses of all warps of some blocks.
double record(const GpuKernel& kernel, Index blocks) {
  std::uint64_t lanes = 0;
  for (Index block = 0; block < blocks; ++block)
    for (const auto& of : record_block(kernel, kernel.blocks / 2 + block).requests) lanes += of.lanes;
  return static_cast<double>(lanes);
}

/// Line accesses of the warps of some blocks, one after another.
std::vector<LineAccess> lines_of(const GpuKernel& kernel, Index blocks) {
  std::vector<LineAccess> lines;
  for (Index block = kernel.blocks / 2; block < kernel.blocks / 2 + blocks; ++block)
    for (unsigned warp = 0; warp < kernel.warps(); ++warp) {
      WarpState state(kernel.memory->origin());
      active_warp = &state;
      auto program = kernel.program(block, warp);
      do {
        state.begin_step();
        program.resume();
        lines.insert(lines.end(), state.lines().begin(), state.lines().end());
      } while (!program.done());
    }
  active_warp = nullptr;
  return lines;
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

void print_cost() {
  const auto device = find_device("v100");
  fmt::print(
      "# What the device model costs\n\nOne core, median of five; written by `build/release/bin/device_profiles "
      "cost`. Recording: the kernel's source\nexecuted warp by warp, requests coalesced, nothing simulated. "
      "Simulating: the recorded sectors through L1, L2 and\nDRAM of v100.\n\n| launch | recording, M lane "
      "accesses/s | simulating, M sectors/s |\n|---|---:|---:|\n");
  const auto row = [&](const GpuKernel& kernel, Index blocks) {
    const auto lines = lines_of(kernel, blocks);
    const double recording = per_second([&] { return record(kernel, blocks); });
    const double simulating = per_second([&] { return replay(device, lines); });
    fmt::print("| {} | {:.0f} | {:.0f} |\n", kernel.name, recording * 1e-6, simulating * 1e-6);
    std::fflush(stdout);
  };
  row(stream::gpu_kernel("triad", Index{1} << 22), 1024);
  row(stencil::gpu_kernel(258, 7), 8192);
  const auto level = std::make_shared<const gsrb::GpuLevel>(6);
  row(gsrb::gpu_sweep<gsrb::FourthOrder>(level, gsrb::GpuMethod::fp), 128);
  const auto lattice = std::make_shared<const lbm::GpuLattice>(lbm::Grid{256, 1024});
  for (const auto version : {lbm::GpuVersion::v0, lbm::GpuVersion::v4}) row(lbm::gpu_collide(lattice, version), 160);
  const auto problem = std::make_shared<const gpp::GpuProblem>(512, 4096, 64);
  for (const int nw : {1, 6}) row(gpp::gpu_kernel<true>(problem, nw), 2048);

  fmt::print(
      "\nOn the CPU side (counting space, one lane at a time; 48 KiB/12, 1 MiB/16 and 32 MiB/16 caches):\n\n| sweep | "
      "recording, M accesses/s | with the cache model |\n|---|---:|---:|\n");
  constexpr Index n = Index{1} << 22;
  const Buffer a(n), b(n), c(n);
  const stream::Triad triad{a.view(), b.view(), c.view(), 0.4};
  const auto sweep = [&](CacheHierarchy* caches) {
    Sampler sampler(caches, true);
    Counting<true> space(sampler);
    space.parallel(1, [&](Index) { space.lanes(0, n, triad); });
    return 3.0 * n;
  };
  CacheHierarchy caches(
      {{MemoryLevel::L1, 48 << 10, 12}, {MemoryLevel::L2, 1 << 20, 16}, {MemoryLevel::L3, 32 << 20, 16}});
  const double recording = per_second([&] { return sweep(nullptr); });
  const double simulating = per_second([&] { return sweep(&caches); });
  fmt::print("| triad of {} elements | {:.0f} | {:.0f} |\n", n, recording * 1e-6, simulating * 1e-6);
}

}  // namespace
}  // namespace roofline

int main(int argc, char** argv) {
  try {
    const std::string what = argc > 1 ? argv[1] : "v100";
    what == "cost" ? roofline::print_cost() : roofline::print_all(what);
  } catch (const std::exception& error) {
    fmt::print(stderr, "device_profiles: {}\n", error.what());
    return 4;
  }
}
