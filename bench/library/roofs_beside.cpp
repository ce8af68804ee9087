#include "bench/library/roofs_beside.hpp"

#include "bench/library/machine_ceilings.hpp"

namespace roofline {
namespace {

/// Ceilings of a file may count other bytes for the same work than the work itself does (restated()).
double account_of(const std::vector<Ceiling>& known, const CeilingVariant& variant) {
  for (const auto& ceiling : known)
    if (ceiling.name == variant.ceiling.name)
      return ceiling.bytes_per_explicit_byte / variant.ceiling.bytes_per_explicit_byte;
  return 1;
}

}  // namespace

RoofsBeside::RoofsBeside(const Machine& machine, int threads, const CeilingsChoice& choice)
    : suite_(ceilings_suite(machine, threads)),
      ceilings_(machine_ceilings(machine, threads, choice)),
      roofline_(ceilings_.ceilings, threads) {}

std::vector<std::string> RoofsBeside::binding(const KernelPoint& point) {
  std::vector<std::string> names;
  const Pinned pinned(suite_.machine(), suite_.threads());
  for (const auto* const ceiling : roofline_.binding(point.counts, point.fma)) {
    const auto* const variant = suite_.ceiling(ceiling->name);
    if (!variant || variant->make.empty()) continue;
    if (!works_.has(ceiling->name)) try {
        if (!works_.set_up(*variant, ceiling->variant).empty()) continue;
      } catch (const std::exception&) {
        continue;  // without it the row is compared with the ceiling as it was measured
      }
    names.push_back(ceiling->name);
  }
  return names;
}

double RoofsBeside::sample(const std::string& name, int round) {
  const Pinned pinned(suite_.machine(), suite_.threads());
  return works_.sample(name, round) * account_of(ceilings_.ceilings, *suite_.ceiling(name));
}

}  // namespace roofline
