// How fast the virtual GPU executes, as Markdown: device_profiles speed > results/virtual-gpu/speed.md
#include <cuda_runtime.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/cuda/gpu.hpp"
#include "bench/machine/machine.hpp"
#include "bench/model/statistics.hpp"
#include "bench/options/options.hpp"
#include "bench/run/plan.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"

namespace roofline {
namespace {

/// Instructions of lanes per second of processor time: median of five times at least a fifth of a second.
struct Speed {
  double lanes = 0;            ///< 1/s
  double lanes_per_warp = 0;   ///< active, of a warp's instruction
  std::uint64_t launched = 0;  ///< warp instructions of one launch
};

Speed speed_of(const Runnable& work) {
  const auto launch = [&] {
    work.launch();
    if (cudaDeviceSynchronize() != cudaSuccess) throw std::runtime_error("a launch failed");
  };
  Speed speed;
  const auto before = runtime::executed();
  launch();  // loads its module, too
  const auto after = runtime::executed();
  speed.launched = after.warp_instructions - before.warp_instructions;
  const auto lanes = static_cast<double>(after.lane_instructions - before.lane_instructions);
  speed.lanes_per_warp = lanes / static_cast<double>(speed.launched);
  std::vector<double> rates;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::clock();
    int launches = 0;
    do launch(), ++launches;
    while (std::clock() - start < CLOCKS_PER_SEC / 5);
    rates.push_back(lanes * launches * CLOCKS_PER_SEC / static_cast<double>(std::clock() - start));
  }
  speed.lanes = median(rates);
  return speed;
}

void print_row(const std::string& name, const Runnable& work) {
  const auto speed = speed_of(work);
  fmt::print("| {} | {:.1f} | {:.1f} | {:.2f} |\n", name, static_cast<double>(speed.launched) * 1e-6,
             speed.lanes_per_warp, speed.lanes * 1e-9);
  std::fflush(stdout);
}

}  // namespace

void print_speed(const std::string& only);
/// Rows whose names contain `only`.
void print_speed(const std::string& only) {
  const runtime::Scope scope("h100");
  Options options;
  options.device = "virtual";
  options.verify = true;
  const Target target{Platform::cuda, "", 1, detect_machine(), find_gpus().found.at(0)};
  const auto suite = make_suite(target, options, nullptr);
  fmt::print(
      "# How fast the virtual GPU executes\n\nInstructions of lanes per second of processor time, which is what one "
      "core "
      "does; median of five. As compiled for h100,\nin the sizes of `--device=virtual --verify`, without checks and "
      "without a model of the caches. Written by\n`build/release/bin/device_profiles speed`.\n\n"
      "| launch | M warp instructions | active lanes | G lane instructions/s of a core |\n|---|---:|---:|---:|\n");
  for (const char* const precision : {"fp64", "fp32", "fp16x2"}) {
    const auto name = fmt::format("ceiling/flops/{}/fma/", precision);
    const auto& ceilings = suite.ceilings();
    const auto found = std::find_if(ceilings.begin(), ceilings.end(), [&](const CeilingVariant& c) {
      return !c.make.empty() && c.ceiling.name.starts_with(name);
    });
    if (found != ceilings.end() && found->ceiling.name.find(only) != std::string::npos)
      print_row(found->ceiling.name, found->make.front()());
  }
  for (const auto& variant : suite.variants())
    if (variant.selection != Selection::full && variant.name.find(only) != std::string::npos)
      print_row(variant.name, variant.make());
}

}  // namespace roofline
