#include "bench/suite/suite.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

#include "bench/machine/machine.hpp"
#include "bench/options/choices.hpp"
#include "bench/storage/google_rows.hpp"
#include "bench/suite/filter.hpp"
#include "tests/error_of.hpp"

namespace roofline::suite_test {
namespace {

std::string refusal(void (*add)(Suite&, const Sizes&)) {
  Machine machine;
  Suite suite(cpu_target(machine, 1));
  return testing::error_of<std::invalid_argument>([&] { suite.add_family("axpy", add, {8}); });
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
            "axpy/n:8: two variants have this name; add the difference between them to the names");
}

TEST(Choices, WordsAreChoicesAndWhatLooksLikeAFileIsOne) {
  EXPECT_EQ(parse_ceilings_choice("full").kind, CeilingsChoice::Kind::full);
  EXPECT_TRUE(parse_ceilings_choice("auto").measured());
  EXPECT_FALSE(parse_ceilings_choice("none").measured());
  EXPECT_EQ(parse_ceilings_choice("out/run.json").file, "out/run.json");
  EXPECT_FALSE(parse_ceilings_choice("out/run.json").measured());
  EXPECT_EQ(parse_counters_choice("ncu.csv").kind, CountersChoice::Kind::file);
  EXPECT_EQ(parse_counters_choice("model").kind, CountersChoice::Kind::model);
  for (const char* const mistyped : {"quik", "nonee", "", "Auto"})
    EXPECT_THROW(parse_ceilings_choice(mistyped), std::invalid_argument) << mistyped;
  EXPECT_THROW(parse_counters_choice("cuptii"), std::invalid_argument);
}

std::string refusal(const std::string& text) {
  return testing::error_of<std::invalid_argument>([&] { Filter filter(text); });
}

TEST(Filter, FindsAnExtendedExpressionAnywhere) {
  EXPECT_TRUE(Filter("nw:6.*stride:8").matches("gpp/nw:6/fma:1/stride:8"));
  EXPECT_TRUE(Filter("stream|gpp").matches("gpp/x"));
  EXPECT_FALSE(Filter("^pp").matches("gpp/x"));
  EXPECT_TRUE(Filter("all").matches("anything"));
  EXPECT_FALSE(Filter("all").selective());
}

TEST(Filter, AMinusInverts) {
  const Filter filter("-gpp");
  EXPECT_TRUE(filter.inverted());
  EXPECT_FALSE(filter.matches("gpp/x"));
  EXPECT_TRUE(filter.matches("stream"));
}

TEST(Filter, RefusesWhatCouldTakeForEver) {
  EXPECT_NE(refusal("(").find("not a regular expression"), std::string::npos);
  EXPECT_NE(refusal(std::string(100000, '(')).find("100000 characters"), std::string::npos);
  EXPECT_LT(refusal(std::string(100000, '(')).size(), 200u) << "one short line";
  EXPECT_NE(refusal("(a)\\1").find("references"), std::string::npos);
  EXPECT_NE(refusal("((a{50}){50}){50}").find("repetitions"), std::string::npos);
  EXPECT_EQ(refusal("a\\{2000}"), "no error") << "an escaped brace repeats nothing";
}

TEST(Filter, ANestedChoiceDoesNotBacktrack) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(Filter("(.|..)*z").matches(std::string(200, 'a')));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

/// A row up to Google Benchmark 1.7, and one of later versions.
struct OldRow {
  bool error_occurred = false;
  std::string error_message = {};
};
struct NewRow {
  enum Skipped { not_skipped, with_message, with_error } skipped = not_skipped;
  std::string skip_message = {};
};

TEST(Library, KnowsRowsWithoutResultOfEveryGoogleBenchmark) {
  EXPECT_EQ(row_error(OldRow{}), "");
  EXPECT_EQ(row_error(OldRow{true, "wrong"}), "wrong");
  EXPECT_EQ(row_error(OldRow{true}), "error");
  EXPECT_EQ(row_error(NewRow{}), "");
  EXPECT_EQ(row_error(NewRow{NewRow::with_error, "wrong"}), "wrong");
  EXPECT_EQ(row_error(NewRow{NewRow::with_message}), "skipped");
  EXPECT_EQ(row_error(benchmark::BenchmarkReporter::Run()), "");  // the one it is built with
}

TEST(Suite, ACaseStudyHasThePublishedSizes) {
  const Port port{
      .add = nullptr, .default_sizes = {4}, .quick_sizes = {2}, .verified_sizes = {1}, .modelled_sizes = {8}};
  const auto size = [](const Port& p, Platform platform, Launches launches, SizeOf of) {
    return standard_sizes(p, platform, launches, of);
  };
  EXPECT_EQ(size(port, Platform::cuda, Launches::timed, SizeOf::published), Sizes{8});
  EXPECT_EQ(size(port, Platform::cuda, Launches::timed, SizeOf::usual), Sizes{4});
  EXPECT_EQ(size(port, Platform::cuda, Launches::verified, SizeOf::published), Sizes{1}) << "in minutes, not hours";
  EXPECT_EQ(size(port, Platform::cpu, Launches::timed, SizeOf::published), Sizes{8});
  const Port unpublished{.add = nullptr, .default_sizes = {4}, .quick_sizes = {}};
  EXPECT_EQ(size(unpublished, Platform::cuda, Launches::timed, SizeOf::published), Sizes{4});
  EXPECT_EQ(size(unpublished, Platform::cuda, Launches::modelled, SizeOf::published), std::nullopt);
}

}  // namespace
}  // namespace roofline::suite_test
