#include "bench/virtual_gpu/decode/flow.hpp"

#include <algorithm>
#include <queue>
#include <set>

namespace roofline::ptx {
namespace {

class Placer {
 public:
  explicit Placer(const std::vector<FlowBlock>& blocks)
      : blocks_(blocks), inside_(blocks.size(), 0), component_(blocks.size(), 0) {}

  Placement place() {
    std::vector<uint32_t> all(blocks_.size());
    for (uint32_t n = 0; n < all.size(); ++n) all[n] = n;
    if (!all.empty()) region(all, 0);
    finish();
    return std::move(result_);
  }

 private:
  using Edge = std::pair<uint32_t, uint32_t>;

  bool follows(uint32_t from, uint32_t to) const { return inside_[to] == level_ && !cut_.contains({from, to}); }

  // Strongly connected components (Tarjan), without recursion.
  std::vector<std::vector<uint32_t>> components(const std::vector<uint32_t>& nodes) {
    struct Visit {
      uint32_t node;
      std::size_t next;
    };
    std::vector<std::vector<uint32_t>> found;
    std::vector<uint32_t> index(blocks_.size(), 0), low(blocks_.size(), 0), stack;
    std::vector<bool> on_stack(blocks_.size(), false);
    uint32_t counter = 0;
    for (const uint32_t root : nodes) {
      if (index[root]) continue;
      std::vector<Visit> visits{{root, 0}};
      index[root] = low[root] = ++counter;
      stack.push_back(root);
      on_stack[root] = true;
      while (!visits.empty()) {
        const uint32_t node = visits.back().node;
        if (visits.back().next < blocks_[node].successors.size()) {
          const uint32_t to = blocks_[node].successors[visits.back().next++];
          if (!follows(node, to)) continue;
          if (!index[to]) {
            index[to] = low[to] = ++counter;
            stack.push_back(to);
            on_stack[to] = true;
            visits.push_back({to, 0});
          } else if (on_stack[to]) {
            low[node] = std::min(low[node], index[to]);
          }
          continue;
        }
        visits.pop_back();
        if (!visits.empty()) low[visits.back().node] = std::min(low[visits.back().node], low[node]);
        if (low[node] != index[node]) continue;
        found.emplace_back();
        for (uint32_t member = ~0u; member != node;) {
          member = stack.back();
          stack.pop_back();
          on_stack[member] = false;
          component_[member] = static_cast<uint32_t>(found.size() - 1);
          found.back().push_back(member);
        }
        std::sort(found.back().begin(), found.back().end());
      }
    }
    return found;
  }

  // Components in an order in which edges go forward; as in the text where there is a choice.
  std::vector<uint32_t> topological(const std::vector<std::vector<uint32_t>>& found, uint32_t first) const {
    std::vector<uint32_t> pending(found.size(), 0), order;
    const auto edges = [&](uint32_t c, auto f) {
      for (const uint32_t node : found[c])
        for (const uint32_t to : blocks_[node].successors)
          if (follows(node, to) && component_[to] != c) f(component_[to]);
    };
    for (uint32_t c = 0; c < found.size(); ++c) edges(c, [&](uint32_t to) { ++pending[to]; });
    using Item = std::pair<uint32_t, uint32_t>;  // first node of the text, component
    std::priority_queue<Item, std::vector<Item>, std::greater<>> ready;
    for (uint32_t c = 0; c < found.size(); ++c)
      if (pending[c] == 0) ready.push({c == component_[first] ? 0 : found[c][0] + 1, c});
    while (!ready.empty()) {
      const uint32_t c = ready.top().second;
      ready.pop();
      order.push_back(c);
      edges(c, [&](uint32_t to) {
        if (--pending[to] == 0) ready.push({found[to][0] + 1, to});
      });
    }
    return order;
  }

  void region(const std::vector<uint32_t>& nodes, uint32_t first) {
    const uint32_t level = ++levels_;
    level_ = level;
    for (const uint32_t node : nodes) inside_[node] = level;
    const auto found = components(nodes);
    const auto order = topological(found, first);
    std::vector<std::vector<uint32_t>> sorted;
    for (const uint32_t c : order) sorted.push_back(found[c]);
    for (const auto& members : sorted) {
      const uint32_t only = members[0];
      const auto& successors = blocks_[only].successors;
      const bool loops =
          members.size() > 1 || (follows(only, only) && std::count(successors.begin(), successors.end(), only));
      if (loops)
        loop(members);
      else
        emit(only);
      // Inner regions have marked their nodes; this one goes on.
      level_ = level;
      for (const uint32_t node : members) inside_[node] = 0;
    }
  }

  void loop(const std::vector<uint32_t>& members) {
    const std::set<uint32_t> set(members.begin(), members.end());
    uint32_t header = members[0];
    bool entered = false;
    for (uint32_t n = 0; n < blocks_.size() && !entered; ++n)
      if (!set.contains(n))
        for (const uint32_t to : blocks_[n].successors)
          if (set.contains(to) && (!entered || to < header)) {
            header = to;
            entered = true;
          }
    std::vector<Edge> back;
    for (const uint32_t node : members)
      for (const uint32_t to : blocks_[node].successors)
        if (to == header && cut_.insert({node, to}).second) back.push_back({node, to});
    region(members, header);
    if (back.size() < 2) return;
    const auto latch = static_cast<uint32_t>(result_.order.size());
    PlacedBlock jump;
    jump.jump_to = header;  // a FlowBlock until finish()
    result_.order.push_back(jump);
    for (const Edge& edge : back) result_.latches.push_back({edge, latch});
  }

  void emit(uint32_t block) {
    PlacedBlock placed;
    placed.block = block;
    result_.order.push_back(placed);
  }

  // Jumps where the next block is not the one that control falls into.
  void finish() {
    std::vector<PlacedBlock> order;
    std::vector<uint32_t> moved;
    struct Fall {
      uint32_t at, from, to;
    };
    std::vector<Fall> falls;
    for (std::size_t n = 0; n < result_.order.size(); ++n) {
      const PlacedBlock placed = result_.order[n];
      moved.push_back(static_cast<uint32_t>(order.size()));
      order.push_back(placed);
      if (placed.block == PlacedBlock::none || blocks_[placed.block].falls_into < 0) continue;
      const auto to = static_cast<uint32_t>(blocks_[placed.block].falls_into);
      const bool next = n + 1 < result_.order.size() && result_.order[n + 1].block == to &&
                        latch(placed.block, to) == PlacedBlock::none;
      if (next) continue;
      falls.push_back({static_cast<uint32_t>(order.size()), placed.block, to});
      order.emplace_back();
    }
    for (auto& [edge, at] : result_.latches) at = moved[at];
    result_.place_of.assign(blocks_.size(), PlacedBlock::none);
    for (uint32_t n = 0; n < order.size(); ++n)
      if (order[n].block != PlacedBlock::none) result_.place_of[order[n].block] = n;
    for (PlacedBlock& placed : order)
      if (placed.jump_to != PlacedBlock::none) placed.jump_to = result_.place_of[placed.jump_to];
    for (const Fall& fall : falls) order[fall.at].jump_to = result_.target(fall.from, fall.to);
    result_.order = std::move(order);
  }

  uint32_t latch(uint32_t from, uint32_t to) const {
    for (const auto& [edge, at] : result_.latches)
      if (edge == Edge{from, to}) return at;
    return PlacedBlock::none;
  }

  const std::vector<FlowBlock>& blocks_;
  std::vector<uint32_t> inside_, component_;
  std::set<Edge> cut_;  // edges back to headers
  uint32_t level_ = 0, levels_ = 0;
  Placement result_;
};

}  // namespace

uint32_t Placement::target(uint32_t from, uint32_t to) const {
  for (const auto& [edge, at] : latches)
    if (edge == std::pair{from, to}) return at;
  return place_of[to];
}

Placement place(const std::vector<FlowBlock>& blocks) { return Placer(blocks).place(); }

}  // namespace roofline::ptx
