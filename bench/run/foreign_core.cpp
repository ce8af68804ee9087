#include "bench/run/foreign_core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace roofline {
namespace {

/// Units come whole: the least that a wrong number of them makes is one more than two. A clock that was measured while
/// disturbed makes some percent.
constexpr double another_unit = 1.3;
/// Latencies are whole cycles, 3 where the table has 4; wide vectors may take some cycle longer.
constexpr double another_latency = 1.1;
constexpr std::size_t fewest = 2;  // one alone may be a wrong measurement

bool has_units(const Ceiling& c) {
  return c.kind == Ceiling::Kind::compute && c.full_rate() && c.samples > 0 && c.theory.has_value();
}

bool has_latency(const Ceiling& c) {
  return c.kind == Ceiling::Kind::compute && !c.ilp && !c.sustained && c.samples > 0 && c.theory.has_value();
}

}  // namespace

std::string withdraw_foreign_latencies(std::vector<Ceiling>& ceilings) {
  std::map<Operation, std::vector<Ceiling*>> by_operation;
  for (auto& ceiling : ceilings)
    if (has_latency(ceiling)) by_operation[ceiling.operation].push_back(&ceiling);
  std::string which;
  for (const auto& [operation, group] : by_operation) {
    const auto above = [](const Ceiling* c) { return c->rate_low > another_latency * *c->theory; };
    if (group.size() < fewest || !std::all_of(group.begin(), group.end(), above)) continue;
    double most = 0;
    for (auto* const ceiling : group) most = std::max(most, ceiling->rate / *ceiling->theory), ceiling->theory.reset();
    which += fmt::format("{}{} up to {:.2f} times", which.empty() ? "" : ", ", name(operation), most);
  }
  if (which.empty()) return which;
  return fmt::format(
      "chains of instructions are faster than the latencies known of this CPU ({}): those of its type are others; the "
      "theory of these chains is not shown, and not checked",
      which);
}

std::string withdraw_foreign_theory(std::vector<Ceiling>& ceilings, const Machine& machine) {
  std::map<std::string, std::vector<const Ceiling*>> by_isa;
  for (const auto& ceiling : ceilings)
    if (has_units(ceiling)) by_isa[ceiling.isa].push_back(&ceiling);
  std::string why;
  for (const auto& [isa, group] : by_isa) {
    const auto above = [](const Ceiling* c) { return c->rate_low > another_unit * *c->theory; };
    if (group.size() < fewest || !std::all_of(group.begin(), group.end(), above)) continue;
    const auto by_ratio = [](const Ceiling* a, const Ceiling* b) {
      return a->rate / *a->theory < b->rate / *b->theory;
    };
    const auto [least, most] = std::minmax_element(group.begin(), group.end(), by_ratio);
    why = fmt::format(
        "the CPU gives itself as {} family {} model {}, but computes {:.2f} to {:.2f} times as fast as that can with "
        "{}: it is another one, as hypervisors like to say; theory is not shown, and not checked",
        machine.vendor, machine.family, machine.model, (*least)->rate / *(*least)->theory,
        (*most)->rate / *(*most)->theory, isa);
  }
  if (!why.empty())
    for (auto& ceiling : ceilings) ceiling.theory.reset();
  return why;
}

}  // namespace roofline
