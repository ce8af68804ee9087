#include "bench/result/conclude.hpp"

#include <utility>

#include "bench/model/assessment.hpp"
#include "bench/result/physics.hpp"

namespace roofline {

void conclude(Results& results) {
  assess(results.roofline, results.points);
  results.precision = precision_of(results.points);
  results.checks = physics_checks(results);
  results.concluded = true;
}

Results concluded(Results results) {
  if (!results.concluded) conclude(results);
  return results;
}

}  // namespace roofline
