#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/model/kernel_point.hpp"
#include "bench/suite/suite.hpp"

namespace roofline {

/// The tuning that a tuned row has on this machine, and the trials that say so.
struct Choice {
  std::string tuning;
  std::vector<Trial> trials;
};

/// The work of the tuning that `choice` names. If the variant does not have it, `choice` becomes the tuning with the
/// shortest launches in a trial: each tuning is launched once and then timed alternately with the others, for `seconds`
/// or somewhat longer in all, at least two samples each. Tunings that are far behind after these two get no others.
Workload work_of_tuning(const Variant& variant, Choice& choice, double seconds);

/// Where nothing is timed: the tuning that an earlier run chose for the row, if it has it, else the first. Null: the
/// variant has no tunings.
const KernelTuning* tuning_to_model(const Variant& variant, const std::map<std::string, std::string>& known);

/// One object for all tunings of a row, made when the first of them asks for it and freed with the last.
template <class Make>
auto made_once(Make make) {
  using Pointer = decltype(make());
  return [make, known = std::make_shared<std::weak_ptr<typename Pointer::element_type>>()] {
    auto object = known->lock();
    if (!object) *known = object = make();
    return object;
  };
}

}  // namespace roofline
