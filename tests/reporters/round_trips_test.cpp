#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "bench/storage/stored_run.hpp"
#include "bench/text/csv.hpp"
#include "reporters/files/files.hpp"
#include "reporters/imports/input.hpp"
#include "tests/generated_run.hpp"

// Each format that is written, read, stored as run.json, and written again: the same where the format can say it.

namespace roofline::round_trips_test {
namespace {

using Words = std::vector<std::string>;

std::string as_run(const Results& results) { return run_json("", results); }

/// Its comment names the machine, which nothing reads.
Words of_data_txt(const std::string& text) {
  Words words{""};
  for (const char c : text.substr(text.find('\n')))
    if (c == ' ' || c == '\n')
      words.emplace_back();
    else
      words.back() += c;
  return words;
}

/// Without what it tells of samples and roofs, which are not in it, and without sources: read points are imported.
Words of_csv(const std::string& text) {
  const std::set<std::string> not_in_it{"samples",      "rounds",         "time_min",   "flops_source",
                                        "bytes_source", "efficiency_low", "resolved",   "efficiency_high",
                                        "attainable",   "bound",          "efficiency", "attainable_mix",
                                        "bound_mix",    "efficiency_mix"};
  Words words;
  const auto csv = parse_csv(text);
  for (const auto& record : csv.records)
    for (std::size_t c = 0; c < record.fields.size(); ++c)
      if (!not_in_it.contains(csv.records[0].fields[c])) words.push_back(record.fields[c]);
  return words;
}

struct Format {
  const char* name;
  std::string (*write)(const Results&);
  Words (*words)(const std::string& text);
};

void PrintTo(const Format& format, std::ostream* out) { *out << format.name; }

class RoundTrips : public ::testing::TestWithParam<Format> {};

TEST_P(RoundTrips, ThroughRunJsonSayTheSame) {
  const auto& [name, write, words] = GetParam();
  for (unsigned seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(fmt::format("{}, seed {}", name, seed));
    const auto run = generated::GeneratedRun(seed).results;
    const auto text = write(run);
    if (run.points.empty() && text.find('\n') + 1 == text.size()) continue;  // nothing but a header
    const auto again = write(parse_run(as_run(parse_input(text, "FILE")), "run.json"));
    const auto was = words(text), is = words(again);
    ASSERT_EQ(is.size(), was.size()) << text << again;
    for (std::size_t i = 0; i < was.size(); ++i) {
      if (is[i] == was[i]) continue;
      char *end_was = nullptr, *end_is = nullptr;
      const double before = std::strtod(was[i].c_str(), &end_was), after = std::strtod(is[i].c_str(), &end_is);
      ASSERT_TRUE(!was[i].empty() && *end_was == 0 && !is[i].empty() && *end_is == 0) << was[i] << " became " << is[i];
      ASSERT_NEAR(after, before, 1e-6 * std::abs(before));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Formats, RoundTrips,
    ::testing::Values(Format{"run", as_run, [](const std::string& text) { return Words{text}; }},
                      Format{"ert", ert_json, [](const std::string& text) { return Words{text}; }},
                      Format{"data", [](const Results& r) { return data_txt(r); }, of_data_txt},
                      Format{"data_talk", [](const Results& r) { return data_txt(r, DataTxtForm::talk); }, of_data_txt},
                      Format{"csv", efficiency_csv, of_csv}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace roofline::round_trips_test
