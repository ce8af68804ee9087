#include "bench/sampling/ceiling_works.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace roofline::ceiling_works_test {
namespace {

/// A way to do one unit of work, which takes `at_first` seconds when it is timed first, and `later` seconds from then
/// on.
std::function<CeilingWork()> way(const char* name, double at_first, double later) {
  return [=] {
    CeilingWork work;
    work.work = 1;
    work.variant = name;
    work.launch = [] {};
    work.check = [] { return Check{}; };
    work.from_cache = false;
    work.time = [=, timed = std::make_shared<int>(0)](int batch) {
      const bool first = (*timed)++ == 0;
      return (first ? at_first : later) * batch;
    };
    return work;
  };
}

TEST(CeilingWorks, AVariantThatIsFastOnlyWhileItsDataAreInACacheDoesNotWin) {
  CeilingVariant variant;
  variant.ceiling.name = "roof";
  variant.make = {way("warm", 2.5e-3, 5e-3), way("steady", 4e-3, 4e-3), way("slow", 40e-3, 1e-3)};
  CeilingWorks works;
  EXPECT_EQ(works.set_up(variant), "");
  EXPECT_EQ(works.ceiling("roof").variant, "steady");
  EXPECT_EQ(works.ceiling("roof").winner, 1u);
}

}  // namespace
}  // namespace roofline::ceiling_works_test
