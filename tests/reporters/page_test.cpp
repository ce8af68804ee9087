#include "reporters/page/page.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "bench/model/assessment.hpp"
#include "bench/result/reports.hpp"
#include "bench/text/parse_json.hpp"
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
