#include "tests/validation/gsrb_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/gsrb/box.hpp"
#include "tests/validation/modelled_row.hpp"

namespace roofline::gsrb {
namespace {

using Scenario = GpuCounts::Scenario;

ModelledRow row_of(const char* method, int level) {
  return modelled_row(fmt::format("gsrb/{}/op:fv4/level:{}", method, level), "gsrb", {level});
}

}  // namespace

std::vector<ComparisonRow> compare_profile(const GpuModel& model) {
  const auto row = row_of("fp", 6);
  const auto counts = row.count(model);
  auto other_l1 = model.device();
  other_l1.l1.replacement = other_l1.l1.replacement == Replacement::lru ? Replacement::random : Replacement::lru;
  const auto sensitivity = row.count(GpuModel(other_l1));
  const auto exact = [](std::uint64_t count) { return Span{static_cast<double>(count), static_cast<double>(count)}; };

  const std::string scheduling = "interval over round robin and greedy scheduling";
  const std::string policy = other_l1.l1.replacement == Replacement::random
                                 ? "the same with random replacement in L1: the policy is not published"
                                 : "the same with LRU replacement in L1: the policy is not published";
  return {
      {"flop_count_dp", 30277632, exact(counts.executed.flops()),
       "114 per cell and 12 per thread, 10 of them the expanded reciprocal"},
      {"gld_transactions", 4280320, exact(counts.exact.of(Access::global_load).sectors),
       "520 sectors per row of 32 cells, and 15 words of the level that every warp reads before its loop; 20 such "
       "loads would make the published count, HPGMG-CUDA's source has 17 (21 words) when compiled by nvcc 13"},
      {"gst_transactions", 73728, exact(counts.exact.of(Access::global_store).sectors),
       "9 sectors per row of 32 cells"},
      {"l2_read_transactions", 890596, counts.over(&Scenario::l2_read),
       scheduling + "; an L1 that keeps less than LRU does reads more"},
      {"l2_read_transactions", 890596, sensitivity.over(&Scenario::l2_read), policy},
      {"l2_write_transactions", 85927, counts.over(&Scenario::l2_write),
       "the kernel's own stores; what else the counter contains is not known"},
      {"dram_read_transactions", 702911, counts.over(&Scenario::dram_read),
       scheduling + ", partial sectors read before they are written back or not"},
      {"dram_read_transactions", 702911, sensitivity.over(&Scenario::dram_read), policy},
      {"dram_write_transactions", 151487, counts.over(&Scenario::dram_write),
       "bracket: L2 clean before and written after, or dirty before"},
  };
}

std::string method_table(const GpuModel& model, const std::vector<int>& levels) {
  std::string text =
      "| level | method | FLOP per cell | store sectors per cell | L2 B per cell | DRAM B per cell | AI DRAM "
      "(round robin, "
      "clean) | active lanes |\n|---:|---|---:|---:|---:|---:|---:|---:|\n";
  for (const int number : levels) {
    const auto cells = std::pow(8.0, number);
    for (const auto& [method, name] :
         {std::pair{"fp", "FP"}, std::pair{"branch", "BRANCH"}, std::pair{"stride2", "STRIDE2"}}) {
      const auto counts = row_of(method, number).count(model);
      const auto bytes = [&](double Scenario::*read, double Scenario::*written) {
        Span sum{1e300, 0};
        for (const auto& s : counts.scenarios) {
          const double total = (s.*read + s.*written) * sector_bytes / cells;
          sum = {std::min(sum.low, total), std::max(sum.high, total)};
        }
        return fmt::format("{:.1f} .. {:.1f}", sum.low, sum.high);
      };
      const auto& fixed = counts.scenarios.front();
      const double flops = static_cast<double>(counts.executed.flops());
      text += fmt::format("| {} | {} | {:.2f} | {:.3f} | {} | {} | {:.3f} | {:.2f} |\n", number, name, flops / cells,
                          static_cast<double>(counts.exact.of(Access::global_store).sectors) / cells,
                          bytes(&Scenario::l2_read, &Scenario::l2_write),
                          bytes(&Scenario::dram_read, &Scenario::dram_write),
                          flops / ((fixed.dram_read + fixed.dram_write) * sector_bytes), counts.predication());
    }
  }
  return text;
}

}  // namespace roofline::gsrb
