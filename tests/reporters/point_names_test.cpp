#include "reporters/view/point_names.hpp"

#include <gtest/gtest.h>

namespace roofline::point_names_test {
namespace {

std::vector<KernelPoint> named(const std::vector<std::string>& names) {
  std::vector<KernelPoint> points;
  for (const auto& name : names) {
    points.emplace_back();
    points.back().name = name;
    points.back().family = name.substr(0, name.find('/'));
  }
  return points;
}

TEST(PointNames, WhatAFamilySharesMovesIntoItsHeading) {
  const auto points = named({"stream/copy/n:100", "gpp/nw:1/fma:0", "stream/dot/n:100", "gpp/nw:6/fma:0"});
  const auto groups = group_by_family(points);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].heading, "stream/n:100");
  EXPECT_EQ(groups[0].members[0].label, "copy");
  EXPECT_EQ(groups[0].members[1].label, "dot");
  EXPECT_EQ(groups[1].heading, "gpp/fma:0");
  EXPECT_EQ(groups[1].members[1].label, "nw:6");
}

TEST(PointNames, ANameThatAnotherExtendsKeepsItsLastPart) {
  const auto points = named({"gpp/nw:6/fma:1/stride:8", "gpp/nw:6/fma:1/stride:8/div:0"});
  const auto groups = group_by_family(points);
  EXPECT_EQ(groups[0].heading, "gpp/nw:6/fma:1");
  EXPECT_EQ(groups[0].members[0].label, "stride:8");
  EXPECT_EQ(groups[0].members[1].label, "stride:8/div:0");
}

TEST(PointNames, NumbersRunThroughAllFamilies) {
  const auto points = named({"a/x", "b/y", "a/z"});
  const auto groups = group_by_family(points);
  EXPECT_EQ(groups[0].members[0].number, 1);
  EXPECT_EQ(groups[0].members[1].number, 2);
  EXPECT_EQ(groups[1].members[0].number, 3);
}

TEST(PointNames, ASinglePointKeepsItsArguments) {
  const auto points = named({"stencil/7pt/n:256"});
  const auto groups = group_by_family(points);
  EXPECT_EQ(groups[0].heading, "stencil");
  EXPECT_EQ(groups[0].members[0].label, "7pt/n:256");
}

TEST(PointNames, EqualNamesAndBareFamiliesKeepAName) {
  const auto points = named({"lbm", "lbm"});
  const auto groups = group_by_family(points);
  for (const auto& member : groups[0].members) EXPECT_EQ(member.label, "lbm");
}

TEST(PointNames, NumericArgumentsAreKeyAndNumber) {
  const auto argument = numeric_argument("stride:16");
  ASSERT_TRUE(argument);
  EXPECT_EQ(argument->key, "stride");
  EXPECT_EQ(argument->value, 16);
  EXPECT_FALSE(numeric_argument("op:fv4"));
  EXPECT_FALSE(numeric_argument("triad"));
  EXPECT_FALSE(numeric_argument("level:7b"));
  EXPECT_FALSE(numeric_argument("n:"));
}

TEST(PointNames, PatternsMeanRowsOfAnySize) {
  EXPECT_TRUE(fits_row("stream/triad", "stream/triad"));
  EXPECT_TRUE(fits_row("stream/triad", "stream/triad/n:33554432"));
  EXPECT_FALSE(fits_row("stream/triad", "stream/triad/tuned"));
  EXPECT_TRUE(fits_row("stream/triad/n:64", "stream/triad/n:64"));
  EXPECT_FALSE(fits_row("stream/triad/n:64", "stream/triad"));
  EXPECT_TRUE(fits_row("stencil/7pt", "stencil/7pt/n:256/flops:7")) << "of earlier versions";
  EXPECT_FALSE(fits_row("stencil/7pt", "stencil/7pt/n:256/flops:8"));
  EXPECT_TRUE(fits_row("lbm/collide/v0/fma:1", "lbm/collide/v0/lx:1920/ly:7680/fma:1"));
  EXPECT_TRUE(fits_row("gpp/nw:*/fma:1/stride:1", "gpp/nw:6/fma:1/stride:1"));
  EXPECT_FALSE(fits_row("gpp/fma:1/stride:1", "gpp/nw:6/fma:1/stride:1")) << "nw is no size";
}

}  // namespace
}  // namespace roofline::point_names_test
