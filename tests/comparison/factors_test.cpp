#include <gtest/gtest.h>

#include "reporters/comparison/comparison.hpp"
#include "tests/comparison/made_up.hpp"

namespace roofline::factors_test {
namespace {

using example::compute_row;
using example::made_up_pairs;
using example::point_named;
using example::slow_down;
using example::triad;

Factors planted(const std::string& row, const std::function<void(Side&)>& change) {
  const auto comparison = compare(made_up_pairs(1, 9, change, {0, 0}));
  for (const auto& time : comparison.times)
    if (time.row == row) return time.factors.value();
  throw std::out_of_range(row);
}

void near(const Factors& f, double work, double traffic, double efficiency) {
  EXPECT_NEAR(f.work, work, 1e-6);
  EXPECT_NEAR(f.traffic, traffic, 1e-6);
  EXPECT_NEAR(f.efficiency, efficiency, 1e-6);
}

TEST(Factors, AttributeEachPlantedChangeToItsCause) {
  near(planted(compute_row,
               [](Side& side) {
                 auto& o = point_named(side, compute_row).counts.operations;
                 o = o + o;
                 slow_down(side, compute_row, 2);
               }),
       2, 1, 1);
  near(planted(triad,
               [](Side& side) {
                 auto& bytes = *point_named(side, triad).counts.at(MemoryLevel::DRAM);
                 bytes.read *= 1.1, bytes.written *= 1.1;
                 slow_down(side, triad, 1.1);
               }),
       1, 1.1, 1);
  near(planted(triad, [](Side& side) { slow_down(side, triad, 1.1); }), 1, 1, 1.1);
}

}  // namespace
}  // namespace roofline::factors_test
