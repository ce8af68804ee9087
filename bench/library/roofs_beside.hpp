#pragma once
#include <string>
#include <vector>

#include "bench/library/machine_ceilings.hpp"
#include "bench/model/roofline.hpp"
#include "bench/sampling/ceiling_works.hpp"

namespace roofline {

/// The ceilings of this machine for rows of one number of threads, and their own work, to be sampled next to these
/// rows.
class RoofsBeside {
 public:
  /// Takes or measures the ceilings as machine_ceilings() does, and throws what it throws.
  RoofsBeside(const Machine& machine, int threads, const CeilingsChoice& choice);
  RoofsBeside(const RoofsBeside&) = delete;
  RoofsBeside& operator=(const RoofsBeside&) = delete;

  /// Names of the ceilings that could bind a point, set up to be sampled; those that cannot be are left out.
  std::vector<std::string> binding(const KernelPoint& point);
  /// The rate of one of these now. The calling thread and those of OpenMP are then as free as before.
  double sample(const std::string& name, int round);

  const MachineCeilings& ceilings() const { return ceilings_; }

 private:
  Suite suite_;
  MachineCeilings ceilings_;
  Roofline roofline_;
  CeilingWorks works_;
};

}  // namespace roofline
