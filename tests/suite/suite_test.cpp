#include "bench/suite/suite.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "bench/machine/machine.hpp"

namespace roofline::suite_test {
namespace {

std::string refusal(void (*add)(Suite&, const Sizes&)) {
  Machine machine;
  Suite suite(cpu_target(machine, 1));
  try {
    suite.add_family("axpy", add, {8});
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Suite, AVariantBelongsToTheFamilyThatAddsIt) {
  Machine machine;
  Suite suite(cpu_target(machine, 1));
  suite.add_family("axpy", [](Suite& s, const Sizes& sizes) { s.add({.name = "axpy/n:" + std::to_string(sizes[0])}); },
                   {8});
  ASSERT_EQ(suite.variants().size(), 1u);
  EXPECT_EQ(suite.variants()[0].family, "axpy");
  EXPECT_EQ(suite.variants()[0].name, "axpy/n:8");
}

TEST(Suite, AWrongFamilyAndANameGivenTwiceAreRefusedAtTheStart) {
  EXPECT_EQ(refusal([](Suite& s, const Sizes&) { s.add({.name = "axpy/n:8", .family = "axyp"}); }),
            "axpy/n:8: .family is 'axyp', but the registrar's family is 'axpy'; leave it out");
  EXPECT_EQ(refusal([](Suite& s, const Sizes&) {
              s.add({.name = "axpy/n:8"});
              s.add({.name = "axpy/n:8"});
            }),
            "axpy/n:8: two variants have this name; what tells them apart belongs into it");
}

}  // namespace
}  // namespace roofline::suite_test
