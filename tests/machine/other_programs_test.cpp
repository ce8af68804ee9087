#include "bench/machine/other_programs.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <set>
#include <thread>

namespace roofline::other_programs_test {
namespace {

/// The nice values of the OpenMP threads of a new thread after come_before_others(); it begins with the value `own`.
/// Empty where the system does not let it have that.
std::set<int> values_after(int own) {
  std::set<int> values;
  std::thread([&] {
    if (setpriority(PRIO_PROCESS, 0, own) != 0) return;  // of this thread, and so of those that it starts
    come_before_others();
#pragma omp parallel num_threads(2)
#pragma omp critical
    values.insert(nice_value());
  }).join();
  return values;
}

TEST(OtherPrograms, ComeAfterTheThreadsWhereTheSystemPermitsIt) {
  if (values_after(-20).empty()) GTEST_SKIP() << "the system permits no other priority";
  EXPECT_EQ(values_after(0), std::set<int>{-20});
}

TEST(OtherPrograms, ComeBeforeAProgramThatWasStartedSo) { EXPECT_EQ(values_after(19), std::set<int>{19}); }

}  // namespace
}  // namespace roofline::other_programs_test
