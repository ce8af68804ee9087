#include "bench/simulator/coroutine_feed.hpp"

namespace roofline {
namespace {

/// Traffic does not depend on values: for a scope, warps do not compute them.
class WithoutValues {
 public:
  WithoutValues() { warp_values = false; }
  ~WithoutValues() { warp_values = true; }
  WithoutValues(const WithoutValues&) = delete;
  WithoutValues& operator=(const WithoutValues&) = delete;
};

class CoroutineFeed final : public BlockFeed {
 public:
  explicit CoroutineFeed(const GpuKernel& kernel) : kernel_(kernel) {}

  void begin(std::size_t place, Index block) override {
    const auto warps = kernel_.warps();
    while (warps_.size() < (place + 1) * warps) warps_.push_back(std::make_unique<Warp>(kernel_.memory->origin()));
    for (unsigned number = 0; number < warps; ++number) {
      // Local memory belongs to the place on the SM, not to the block: the next one there uses it again.
      const auto at = place * warps + number;
      auto& warp = *warps_[at];
      warp.state.restart();
      warp.state.set_local_base(kernel_.memory->used() + at * kernel_.local * warp_lanes);
      warp.program = kernel_.program(block, number);
    }
  }

  WarpStep step(std::size_t place, unsigned number, std::vector<LineAccess>& lines) override {
    const WithoutValues scope;
    auto& warp = *warps_[place * kernel_.warps() + number];
    const ActiveWarp active(warp.state);
    warp.state.begin_step(lines);
    warp.program.resume();
    const auto divisions = warp.state.divisions();
    return {.ended = warp.program.done(), .instructions = warp.state.arithmetic() - divisions, .divisions = divisions};
  }

 private:
  struct Warp {
    explicit Warp(const void* origin) : state(origin) {}
    WarpState state;
    WarpProgram program;
  };
  const GpuKernel& kernel_;
  std::vector<std::unique_ptr<Warp>> warps_;  // large: they stay where they are
};

}  // namespace

std::unique_ptr<BlockFeed> make_feed(const GpuKernel& kernel) {
  return kernel.feed ? kernel.feed() : std::make_unique<CoroutineFeed>(kernel);
}

std::uint64_t lines_of(const GpuKernel& kernel, Index block) {
  const auto feed = kernel.feed();
  feed->begin(0, block);
  std::uint64_t sum = 0;
  std::vector<LineAccess> lines;
  std::vector<bool> ended(kernel.warps());
  for (unsigned left = kernel.warps(); left > 0;)
    for (unsigned warp = 0; warp < kernel.warps(); ++warp) {
      if (ended[warp]) continue;
      const auto step = feed->step(0, warp, lines);
      sum += lines.size();
      if (step.ended) ended[warp] = true, --left;
    }
  return sum;
}

WarpCounts record_block(const GpuKernel& kernel, Index block, std::uint64_t* line_accesses) {
  WarpCounts counts;
  std::vector<LineAccess> lines;
  for (unsigned warp = 0; warp < kernel.warps(); ++warp) {
    WarpState state(kernel.memory->origin());
    const ActiveWarp active(state);
    auto program = kernel.program(block, warp);
    bool goes_on = true;
    while (goes_on) {
      state.begin_step(lines);
      goes_on = program.resume();
      if (line_accesses != nullptr) *line_accesses += lines.size();
    }
    counts += state.counts();
  }
  return counts;
}

WarpCounts record_blocks(const GpuKernel& kernel, Index first, Index blocks) {
  if (kernel.count) return kernel.count(first, blocks);
  WarpCounts sum;
  for (Index block = first; block < first + blocks; ++block) sum += record_block(kernel, block);
  return sum;
}

}  // namespace roofline
