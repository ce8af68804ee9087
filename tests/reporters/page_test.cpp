#include "reporters/page/page.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/model/assessment.hpp"
#include "bench/result/reports.hpp"
#include "bench/text/parse_json.hpp"
#include "reporters/view/point_names.hpp"
#include "reporters/view/time_breakdown.hpp"
#include "tests/full_results.hpp"

namespace roofline::page_test {
namespace {

TEST(Page, ItsDataIsJsonThatCannotEndTheScriptElement) {
  auto results = example::results(false);
  results.points[0].name = "stream/</script><script>alert(1)</script>&<!--\xff\x1b";
  assess(results);
  const auto data = page_data(results);
  EXPECT_EQ(data.find_first_of("<>&"), std::string::npos);
  const auto json = parse_json(data, "");
  EXPECT_NE(json["kernels"][0]["name"].get<std::string>().find("</script><script>"), std::string::npos);
}

TEST(Page, NamesNeverBecomeMarkup) {
  auto results = example::results(false);
  results.machine.name = "</title><script>alert(1)</script>";
  const auto page = html_page(results);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_NE(page.find("<title>Roofline of &lt;/title&gt;"), std::string::npos);
}

TEST(Page, NothingIsFetched) {
  const auto page = html_page(example::results(false));
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  for (const auto* const sign : {"src=\"", "href=\"http", "@import", "url(http"})
    EXPECT_EQ(page.find(sign), std::string::npos) << sign;
}

TEST(Page, EveryKernelHasItsSentenceAndItsSources) {
  const auto json = parse_json(page_data(example::full_results()), "");
  ASSERT_EQ(json["kernels"].size(), 266u);
  for (const auto& kernel : json["kernels"]) {
    EXPECT_GT(kernel["sentence"].get<std::string>().size(), 20u);
    EXPECT_EQ(kernel["sources"].size(), 2u);
  }
}

TEST(Page, PartsOfAKernelMakeUpItsTime) {
  auto results = example::results();
  auto& point = results.points[0];
  point.assessment = {};
  const auto account = time_breakdown(results.roofline, point);
  const auto parts_at = [&](double seconds) {
    point.time.median = seconds;
    return parse_json(page_data(results), "")["kernels"][0]["parts"];
  };
  const auto slow = parts_at(2 * account.sum());
  EXPECT_NEAR(slow["rest"].get<double>(), 0.5, 1e-3);
  EXPECT_EQ(slow["core and memory"], 0);
  EXPECT_TRUE(parts_at(account.largest() / 2).is_null()) << "faster than a ceiling";
}

TEST(Page, ItsNumbersAreThoseOfTheRun) {
  auto results = example::results();
  results.machine.usable_cores = 8;
  results.machine.caches = {{.level = MemoryLevel::L1, .size = 32 << 10, .shared_by = 1},
                            {.level = MemoryLevel::L3, .size = 32 << 20, .shared_by = 4}};
  const auto json = parse_json(page_data(results), "");
  ASSERT_EQ(json["kernels"].size(), results.points.size());
  for (const auto& kernel : json["kernels"]) {
    const auto* const point = find_point(results.points, kernel["name"].get<std::string>());
    ASSERT_TRUE(point) << kernel["name"];
    const auto is = [&](const char* key, double right) { EXPECT_EQ(kernel[key], right) << kernel["name"] << key; };
    is("time", point->time.median), is("low", point->time.low), is("high", point->time.high);
    is("rate", point->flop_rate()), is("threads", point->threads), is("rounds", point->rounds());
    is("flops", static_cast<double>(point->counts.operations.flops()));
    for (const auto level : all_memory_levels) {
      const std::string key(name(level));
      const auto& traffic = point->counts.at(level);
      ASSERT_EQ(kernel["bytes"].contains(key), traffic.has_value()) << kernel["name"] << key;
      if (traffic) {
        EXPECT_EQ(kernel["bytes"][key], traffic->total()) << kernel["name"] << key;
      }
      if (kernel["ai"].contains(key)) {
        EXPECT_EQ(kernel["ai"][key], point->counts.intensity(level).value());
      }
    }
    const auto& o = point->counts.operations;
    if (kernel.contains("operations")) {
      EXPECT_EQ(kernel["operations"], nlohmann::json({o.add, o.mul, o.fma, o.div})) << kernel["name"];
    }
    if (point->assessment.roof) {
      EXPECT_EQ(kernel["roof"]["efficiency"], point->assessment.roof->efficiency);
    }
  }
  // Eight cores have two caches that four share each.
  EXPECT_EQ(json["caches"][0]["bytes"], 8.0 * (32 << 10));
  EXPECT_EQ(json["caches"][1]["bytes"], 2.0 * (32 << 20));
}

TEST(Page, EachLevelHasOneRoof) {
  const auto results = example::results();
  const auto json = parse_json(page_data(results), "");
  std::map<std::string, double> roofs;
  for (const auto& ceiling : json["ceilings"])
    if (ceiling["kind"] == "bandwidth" && ceiling["roof"]) {
      EXPECT_TRUE(roofs.emplace(ceiling["level"], ceiling["rate"]).second) << ceiling["level"];
    }
  for (const auto level : memory_levels)
    if (const auto* const roof = results.roofline.bandwidth(level)) {
      EXPECT_EQ(roofs[std::string(name(level))], roof->rate) << name(level);
    }
}

TEST(Page, NamesTheBoundThatTheTablesName) {
  auto results = example::results();
  ASSERT_TRUE(results.points[0].assessment.mix);
  results.points[0].assessment.mix->bound = {Resource::Kind::unpaired_lines, MemoryLevel::DRAM};
  const auto json = parse_json(page_data(results), "");
  EXPECT_EQ(json["kernels"][0]["bound"], "unpaired lines");
  EXPECT_EQ(json["kernels"][1]["bound"], what_bounds(results.points[1].assessment));
}

TEST(Page, AllReportsOf500PointsTakeLessThanASecond) {
  auto results = example::full_results();
  const auto once = results.points;
  while (results.points.size() < 500) results.points.push_back(once[results.points.size() - 266]);
  results.assessed = false;
  const auto start = std::chrono::steady_clock::now();
  for (const auto& [name, content] : reports().files) EXPECT_FALSE(content(results).empty()) << name;
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), 5) << "1 s on a machine that does nothing else";
  EXPECT_LT(html_page(results).size(), 2'000'000u);
}

}  // namespace
}  // namespace roofline::page_test
