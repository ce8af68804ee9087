// The device model next to published profiles, and what it costs, as Markdown:
//   device_profiles v100 > results/device-model/v100.md
//   device_profiles v100 gsrb > results/device-model/v100-gsrb.md       the smoothers alone, some minutes
//   device_profiles cost > results/device-model/cost.md
//   device_profiles speed > results/virtual-gpu/speed.md
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <functional>

#include "apps/lbm/expected.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"
#include "tests/validation/gpp_profile.hpp"
#include "tests/validation/gsrb_profile.hpp"
#include "tests/validation/lbm_profile.hpp"
#include "tests/validation/modelled_row.hpp"

namespace roofline {
namespace {

/// How far a sample is from the whole launch, and how far it says it may be: the worse of a clean and a dirty L2, in
/// percent. Relative to the quantity, or to its level's traffic where it is less than a thousandth of that.
std::string sampling_row(const GpuModel& model, const std::string& name, const GpuKernel& kernel,
                         const Sampling& sampling) {
  using Scenario = GpuCounts::Scenario;
  struct Column {
    double Scenario::*quantity;
    double Scenario::*error;
    double Scenario::*other;
  };
  const std::array columns{Column{&Scenario::l2_read, &Scenario::l2_read_error, &Scenario::l2_write},
                           Column{&Scenario::dram_read, &Scenario::dram_read_error, &Scenario::dram_write},
                           Column{&Scenario::dram_write, &Scenario::dram_write_error, &Scenario::dram_read}};
  const auto whole = model.count(kernel), sampled = model.count(kernel, sampling);
  std::string row = fmt::format("| {} | {} | {} x {}, {:.0f} % |", name, kernel.blocks, sampling.windows,
                                sampling.waves, 100 * sampled.sampled_share);
  for (const auto schedule : {Schedule::round_robin, Schedule::greedy})
    for (const auto& [quantity, error, other] : columns) {
      double worst = 0, stated = 0;
      bool small = false;
      for (std::size_t i = 0; i < whole.scenarios.size(); ++i) {
        const auto &a = whole.scenarios[i], &b = sampled.scenarios[i];
        if (a.schedule != schedule) continue;
        const double level = a.*quantity + a.*other;
        const bool negligible = a.*quantity < 1e-3 * level;
        const double unit = negligible ? level : a.*quantity;
        small |= negligible;
        worst = std::max(worst, std::abs(b.*quantity - a.*quantity) / unit);
        stated = std::max(stated, b.*error / unit);
      }
      row += fmt::format(" {:.2f} (+-{:.2f}){} |", 100 * worst, 100 * stated, small ? "*" : "");
    }
  return row + (whole.exact == sampled.exact ? " yes |\n" : " NO |\n");
}

std::string sampling_row(const GpuModel& model, const std::string& name, const std::string& family, const Sizes& sizes,
                         const Sampling& sampling) {
  const auto row = modelled_row(name, family, sizes);
  return sampling_row(model, name, row.kernels.front(), sampling);
}

std::vector<std::string> sampling_rows(const GpuModel& model) {
  const Sampling of_gpp{.windows = 3, .waves = 2, .start = 12};
  const auto lbm = [&](const char* version, Index waves) {
    return sampling_row(model, lbm::collide_name(version, {960, 2048}, true), "lbm", {960, 2048},
                        {.windows = 4, .waves = waves});
  };
  const auto gpp = [&](const char* name, Index waves, const Sampling& sampling) {
    return sampling_row(model, name, "gpp", {512, 2, waves, 20}, sampling);
  };
  return {sampling_row(model, "stream/triad/n:16777216", "stream", {Index{1} << 24}, {.windows = 4, .waves = 4}),
          sampling_row(model, "stencil/7pt/n:258", "stencil", {258}, {.windows = 4, .waves = 8}),
          lbm("v0", 3),
          lbm("v4", 2),
          gpp("gpp/nw:1/fma:1/stride:1", 4096, of_gpp),
          gpp("gpp/nw:3/fma:1/stride:1", 4096, of_gpp),
          gpp("gpp/nw:6/fma:1/stride:1", 4096, of_gpp),
          gpp("gpp/nw:6/fma:1/stride:16", 2048, {.windows = 3, .waves = 1, .start = 2})};
}

/// The rows of a Markdown table without its heading.
std::string rows_of(const std::string& table) {
  const auto heading = table.find('\n', table.find('\n') + 1) + 1;
  return table.substr(heading);
}

/// Every part is independent of the others and of the number of threads; the longest begin first.
void print_all(const std::string& name) {
  const GpuModel model(find_device(name));
  const runtime::Scope device(name);
  std::array<std::string, 5> strides;
  std::array<std::vector<ComparisonRow>, gpp::max_nw> frequencies;
  std::array<std::string, 4> levels;
  std::string gsrb, lbm;
  std::vector<std::string> sampling;
  std::vector<std::function<void()>> parts;
  for (std::size_t i = 0; i < strides.size(); ++i)
    parts.push_back([&, i] { strides[i] = gpp::stride_table(model, gpp::published_sizes, {Index{1} << i}); });
  for (int nw = 1; nw <= gpp::max_nw; ++nw)
    parts.push_back([&, nw] {
      frequencies[static_cast<std::size_t>(nw - 1)] = gpp::compare_profile(model, gpp::published_sizes, nw);
    });
  for (const int level : {8, 7, 6, 5})
    parts.push_back([&, level] { levels[static_cast<std::size_t>(level - 5)] = gsrb::method_table(model, {level}); });
  parts.push_back([&] { lbm = lbm::ladder_table(model, {1920, 7680}); });
  parts.push_back([&] { sampling = sampling_rows(model); });
  parts.push_back([&] { gsrb = markdown("GSRB_FP", gsrb::compare_profile(model)); });
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i]();

  std::vector<ComparisonRow> rows;
  for (const auto& of : frequencies) rows.insert(rows.end(), of.begin(), of.end());
  for (auto* const table : {&strides[1], &strides[2], &strides[3], &strides[4], &levels[1], &levels[2], &levels[3]})
    *table = rows_of(*table);
  fmt::print(
      "# Device model next to published profiles, {0}\n\nNothing here was measured: the model (hash {1}) of "
      "bench/virtual_gpu/devices/{0}.json is fed with\nthe accesses of the compiled kernels. "
      "Written by `build/release/bin/device_profiles {0}`.\n\n## GSRB_FP, fv4, 64^3 (NERSC talk, nvprof)\n\n{2}",
      model.device().name, model.device().model_hash(), gsrb);
  fmt::print(
      "\n## GPP, published problem (512, 2, 32768, 20), per inner iteration\n\nSample: the blocks simulated, and the "
      "95 % interval of the worst of the reads and writes of L2 and DRAM, over both\nschedules.\n\n{}",
      markdown("nw = 1 .. 6", rows));
  fmt::print(
      "\n## GPP strides, nw = 6, bytes per inner iteration\n\nPublished: bytes of L1 and L2 double from stride 1 to 2 "
      "and stay almost constant then.\n\n{}",
      fmt::join(strides, ""));
  fmt::print("\n## GSRB methods by level\n\n{}", fmt::join(levels, ""));
  fmt::print("\n## LBM ladder, 1920 x 7680 sites\n\nRequests per population.\n\n{}", lbm);
  fmt::print(
      "\n## Samples against the whole launch\n\nDeviation of a sample from the full simulation of the same launch in "
      "percent, the worse of a clean and a dirty L2;\nin brackets what the sample itself gives as its 95 % interval. "
      "Both are relative to the quantity, or, with *, to the\ntraffic of its level, where it is less than a thousandth "
      "of that. Sample: windows x waves in each, and the blocks\nsimulated: start, warm-ups, windows and end.\n\n"
      "| launch | blocks | sample | round robin L2 read | DRAM read | DRAM write | greedy L2 read | DRAM read | DRAM "
      "write "
      "| exact counts equal |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n{}\n"
      "The intervals know only the spread between windows. Where windows are alike, up to 0.1 % of deviation, from "
      "warm-ups and\nfrom what L2 holds at the end, lies outside them; so does what warps that drift apart do after "
      "the "
      "time simulated. At\nthe published GPP sizes the start is simulated until three waves in a row read the same, "
      "for 10 s at most: at nw 1 the\nwarps need about ten waves until rows of aqsn are no longer shared.\n",
      fmt::join(sampling, ""));
}

void print_gsrb(const std::string& name) {
  const GpuModel model(find_device(name));
  const runtime::Scope device(name);
  fmt::print(
      "# GSRB on the device model next to a published profile, {0}\n\nNothing here was measured: the model (hash {1}) "
      "of bench/virtual_gpu/devices/{0}.json is fed with\nthe accesses of the compiled kernels. Written by "
      "`build/release/bin/device_profiles {0} gsrb`.\n\n## GSRB_FP, fv4, 64^3 (NERSC talk, nvprof)\n\n{2}",
      model.device().name, model.device().model_hash(), markdown("GSRB_FP", gsrb::compare_profile(model)));
  fmt::print("\n## GSRB methods by level\n\n{}", gsrb::method_table(model, {5, 6, 7}));
}

}  // namespace

void print_cost();                          // device_cost.cpp
void print_speed(const std::string& only);  // execution_speed.cpp

}  // namespace roofline

int main(int argc, char** argv) {
  try {
    const std::string what = argc > 1 ? argv[1] : "v100";
    if (what == "cost")
      roofline::print_cost();
    else if (what == "speed")
      roofline::print_speed(argc > 2 ? argv[2] : "");
    else if (argc > 2 && argv[2] == std::string("gsrb"))
      roofline::print_gsrb(what);
    else
      roofline::print_all(what);
  } catch (const std::exception& error) {
    fmt::print(stderr, "device_profiles: {}\n", error.what());
    return 4;
  }
}
