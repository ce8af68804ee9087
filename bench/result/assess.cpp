#include "bench/result/assess.hpp"

#include <utility>

#include "bench/model/assessment.hpp"
#include "bench/result/sanity.hpp"

namespace roofline {

void assess(Results& results) {
  assess(results.roofline, results.points);
  results.precision = precision_of(results.points);
  results.checks = sanity_checks(results);
  results.assessed = true;
}

Results assessed(Results results) {
  if (!results.assessed) assess(results);
  return results;
}

}  // namespace roofline
