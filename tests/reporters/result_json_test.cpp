#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reporters/files/files.hpp"

namespace roofline::result_json_test {
namespace {

TEST(ResultJson, NotANumberBecomesNullAndTheRestStays) {
  const auto text = finish_json(R"({"context": {"date": "x"}, "benchmarks": [
      {"name": "a: NaN/x", "cv": NaN, "b": -Infinity, "c": inf, "d": -nan, "flops": 1.5e+09}]})",
                                Results{});
  const auto document = nlohmann::json::parse(text);
  const auto& row = document["benchmarks"][0];
  for (const char* key : {"cv", "b", "c", "d"}) EXPECT_TRUE(row[key].is_null()) << key;
  EXPECT_EQ(row["flops"], 1.5e9);
  EXPECT_EQ(document["context"]["date"], "x");
  EXPECT_EQ(document["context"]["ceilings"], "none");
}

TEST(ResultJson, SaysWhatWentWrong) {
  Results results;
  results.warnings = {"DRAM moved"};
  results.failures = {{"gpp/nw:1", "element 3"}};
  const auto document = nlohmann::json::parse(finish_json("", results));
  EXPECT_EQ(document["context"]["complete"], false) << "a row that failed is missing";
  EXPECT_EQ(document["context"]["interrupted"], false);
  EXPECT_EQ(document["context"]["warnings"][0], "DRAM moved");
  EXPECT_EQ(document["context"]["failures"][0]["reason"], "element 3");
  EXPECT_TRUE(document["benchmarks"].is_array());
}

}  // namespace
}  // namespace roofline::result_json_test
