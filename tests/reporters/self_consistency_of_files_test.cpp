#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "bench/text/csv.hpp"
#include "bench/text/parse_json.hpp"
#include "reporters/files/files.hpp"
#include "reporters/view/time_breakdown.hpp"
#include "tests/generated_run.hpp"

namespace roofline::self_consistency_of_files_test {
namespace {

using namespace generated;

/// The expected content of a column of efficiency.csv: a number of the model in its own unit, or a text. Absent: empty.
using Number = std::function<std::optional<double>(const KernelPoint&)>;
using Text = std::function<std::string(const KernelPoint&)>;

std::map<std::string, Number> number_columns() {
  using P = KernelPoint;
  const auto measured = [](auto value) {
    return Number([=](const P& p) { return p.is_bound() ? std::nullopt : std::optional<double>(value(p)); });
  };
  const auto bound = [](auto value) {
    return Number([=](const P& p) { return p.is_bound() ? std::optional<double>(value(p)) : std::nullopt; });
  };
  const auto of = [](auto value) { return Number([=](const P& p) { return std::optional<double>(value(p)); }); };
  const auto of_kinds = [](auto value) {
    return Number([=](const P& p) { return p.counts.kinds_known ? std::optional<double>(value(p)) : std::nullopt; });
  };
  const auto sum = [](const P& p) {
    const auto& o = p.counts.operations;
    return static_cast<double>(o.add + o.mul + o.fma + o.fma + o.div + o.sqrt);
  };
  const auto of_counted = [=](auto value) {
    return Number([=](const P& p) {
      return p.counts.kinds_known || sum(p) > 0 ? std::optional<double>(value(p)) : std::nullopt;
    });
  };
  const auto ranged = [](auto value) {
    return Number([=](const P& p) {
      const auto& roof = p.assessment.roof;
      return roof && roof->range ? std::optional<double>(value(*roof)) : std::nullopt;
    });
  };
  std::map<std::string, Number> all{
      {"threads", of([](const P& p) { return p.threads; })},
      {"fma", of([](const P& p) { return p.fma; })},
      {"samples", of([](const P& p) { return p.samples.size(); })},
      {"rounds", of([](const P& p) { return p.samples.empty() ? 0 : p.samples.back().round + 1; })},
      {"time_median", measured([](const P& p) { return p.time.median; })},
      {"time_ci_low", measured([](const P& p) { return p.time.low; })},
      {"time_ci_high", measured([](const P& p) { return p.time.high; })},
      {"time_bound", bound([](const P& p) { return p.time.median; })},
      {"time_bound_low", bound([](const P& p) { return p.time.low; })},
      {"time_bound_high", bound([](const P& p) { return p.time.high; })},
      {"time_min",
       [](const P& p) {
         std::optional<double> least;
         for (const auto& s : p.samples) least = std::min(least.value_or(s.seconds), s.seconds);
         return least;
       }},
      {"clock_hz", [](const P& p) { return p.clock > 0 ? std::optional(p.clock) : std::nullopt; }},
      {"power_watt", [](const P& p) { return p.watts > 0 ? std::optional(p.watts) : std::nullopt; }},
      {"energy_joule", [](const P& p) { return p.watts > 0 ? std::optional(p.joules) : std::nullopt; }},
      {"FLOP/J", [=](const P& p) { return p.watts > 0 ? std::optional(sum(p) / p.joules) : std::nullopt; }},
      {"time_in_core", [](const P& p) { return p.in_core > 0 ? std::optional(p.in_core) : std::nullopt; }},
      {"flops", of_counted(sum)},
      {"FLOP/s", of_counted([=](const P& p) { return sum(p) / p.time.median; })},
      {"add", of_kinds([](const P& p) { return p.counts.operations.add; })},
      {"mul", of_kinds([](const P& p) { return p.counts.operations.mul; })},
      {"fma_instructions", of_kinds([](const P& p) { return p.counts.operations.fma; })},
      {"div", of_kinds([](const P& p) { return p.counts.operations.div; })},
      {"fma_fraction", of_kinds([](const P& p) {
         const auto& o = p.counts.operations;
         const auto issued = static_cast<double>(o.add + o.mul + o.fma);
         return issued > 0 ? static_cast<double>(o.fma) / issued : 0;
       })},
      {"bytes_DRAM_streamed", [](const P& p) { return p.counts.streamed; }},
      {"bytes_DRAM_unpaired", [](const P& p) { return p.counts.unpaired; }},
      {"bytes_L1_split", [](const P& p) { return p.counts.split; }},
      {"bytes_L1_gathered", [](const P& p) { return p.counts.gathered; }},
      {"regions", [](const P& p) { return p.counts.regions; }},
      {"bytes_DRAM_evaded",
       [](const P& p) { return p.counts.evaded > 0 ? std::optional(p.counts.evaded) : std::nullopt; }},
      {"counted_instructions", [](const P& p) { return p.counts.instructions; }},
      {"counted_cycles", [](const P& p) { return p.counts.cycles; }},
      {"instructions_per_cycle",
       [](const P& p) {
         const auto& [instructions, cycles] = std::pair(p.counts.instructions, p.counts.cycles);
         return instructions && cycles ? std::optional(*instructions / *cycles) : std::nullopt;
       }},
      {"efficiency_low", ranged([](const Judgement& roof) { return roof.range->low; })},
      {"efficiency_high", ranged([](const Judgement& roof) { return roof.range->high; })},
      {"resolved",
       ranged([](const Judgement& roof) { return roof.range->high - roof.range->low <= 0.1 * roof.efficiency; })}};
  for (const auto& [suffix, part] : {std::pair("", &Assessment::roof), std::pair("_mix", &Assessment::mix)}) {
    all[std::string("attainable") + suffix] = [part = part](const P& p) {
      return p.assessment.*part ? (p.assessment.*part)->attainable : std::nullopt;
    };
    all[std::string("efficiency") + suffix] = [part = part](const P& p) {
      return p.assessment.*part ? std::optional((p.assessment.*part)->efficiency) : std::nullopt;
    };
  }
  for (const char* const figure :
       {"registers", "occupancy_theoretical", "occupancy_achieved", "hit_rate_L1", "hit_rate_L2", "pipe_fp64",
        "pipe_adu", "unit_idc", "stalled_on_memory", "stalled_on_constants"})
    all[figure] = [=](const P& p) {
      const auto found = p.counts.details.find(figure);
      return found == p.counts.details.end() ? std::nullopt : std::optional(found->second);
    };
  std::size_t index = 0;
  for (const std::string level : {"L1", "L2", "L3", "DRAM"}) {
    const auto traffic = [index](const P& p) { return p.counts.traffic[index]; };
    const auto range = [index](const P& p) { return p.counts.range[index]; };
    const auto maybe = [](const auto& part, auto value) {
      return [=](const P& p) { return part(p) ? std::optional<double>(value(*part(p))) : std::nullopt; };
    };
    all["bytes_" + level] = maybe(traffic, [](const Traffic& t) { return t.read + t.written; });
    all["written_" + level] = maybe(traffic, [](const Traffic& t) { return t.written; });
    all["bytes_" + level + "_low"] = maybe(range, [](const Span& s) { return s.low; });
    all["bytes_" + level + "_high"] = maybe(range, [](const Span& s) { return s.high; });
    all["AI_" + level] = [=](const P& p) {
      const bool counted = p.counts.kinds_known || sum(p) > 0;
      return counted && traffic(p) ? std::optional(sum(p) / (traffic(p)->read + traffic(p)->written)) : std::nullopt;
    };
    ++index;
  }
  return all;
}

std::map<std::string, Text> text_columns() {
  using P = KernelPoint;
  return {{"name", [](const P& p) { return p.name; }},
          {"family", [](const P& p) { return p.family; }},
          {"precision", [](const P& p) { return p.counts.precision; }},
          {"flops_source", [](const P& p) { return std::string(name(p.counts.operations_source)); }},
          {"flop_account", [](const P& p) { return std::string(name(p.counts.account)); }},
          {"bytes_source", [](const P& p) { return p.counts.traffic_label(); }},
          {"bytes_note", [](const P& p) { return p.counts.traffic_note; }},
          {"bound", [](const P& p) { return p.assessment.roof ? name(p.assessment.roof->bound) : std::string(); }},
          {"bound_mix", [](const P& p) { return p.assessment.mix ? name(p.assessment.mix->bound) : std::string(); }},
          {"time_bound_by", [](const P& p) { return p.bound_by ? name(*p.bound_by) : std::string(); }}};
}

TEST(SelfConsistency, EveryColumnOfTheCsvIsThatOfTheModel) {
  const auto numbers = number_columns();
  const auto texts = text_columns();
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    const auto run = GeneratedRun(seed).results;
    const auto csv = parse_csv(efficiency_csv(run));
    ASSERT_EQ(csv.records.size(), run.points.size() + 1) << "seed " << seed;
    const auto& header = csv.records[0].fields;
    EXPECT_EQ(std::set<std::string>(header.begin(), header.end()).size(), header.size());
    EXPECT_EQ(header.size(), numbers.size() + texts.size());
    for (std::size_t i = 0; i < run.points.size(); ++i) {
      const auto& p = run.points[i];
      const auto& row = csv.records[i + 1].fields;
      ASSERT_EQ(row.size(), header.size());
      for (std::size_t c = 0; c < header.size(); ++c) {
        SCOPED_TRACE(fmt::format("seed {}, {}, column {}", seed, p.name, header[c]));
        if (texts.contains(header[c])) {
          EXPECT_EQ(row[c], texts.at(header[c])(p));
          continue;
        }
        ASSERT_TRUE(numbers.contains(header[c])) << "a column that nobody checks";
        const auto value = numbers.at(header[c])(p);
        ASSERT_EQ(row[c].empty(), !value);
        if (!value) continue;
        EXPECT_DOUBLE_EQ(std::stod(row[c]), *value);
      }
    }
  }
}

TEST(SelfConsistency, EveryLineOfDataTxtIsThatOfTheModel) {
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const auto run = GeneratedRun(seed).results;
    std::map<std::string, std::vector<std::string>> lines;
    std::istringstream text(data_txt(run));
    for (std::string line; std::getline(text, line);) {
      std::istringstream words(line);
      std::string key;
      words >> key;
      if (key == "#") continue;
      ASSERT_FALSE(lines.contains(key)) << key;
      auto& values = lines[key];
      // Names are in quotes and may hold blanks.
      const bool quoted = key.ends_with("names") || key == "labels";
      for (std::string word; quoted ? std::getline(words, word, '\'') && std::getline(words, word, '\'')
                                    : static_cast<bool>(words >> word);)
        values.push_back(word);
    }
    const auto expect = [&](const std::string& key, std::size_t i, double value, double unit) {
      ASSERT_GT(lines[key].size(), i) << key;
      EXPECT_NEAR(std::stod(lines[key][i]) * unit / value, 1, 1e-9) << key << " " << i;
    };
    // Both lists from the fastest down.
    std::map<double, std::string, std::greater<>> memory, compute;
    for (const auto level : memory_levels) memory[fastest_memory(run, 2, level)->rate] = name(level);
    compute[fastest_unit(run, 2, Operation::fma, "fp64")->rate] = "FP64 FMA";
    compute[fastest_unit(run, 2, Operation::nofma, "fp64")->rate] = "FP64 no-FMA";
    for (const auto& [rates, names, roofs] :
         {std::tuple("memroofs", "mem_roof_names", memory), {"comproofs", "comp_roof_names", compute}}) {
      ASSERT_EQ(lines[rates].size(), roofs.size());
      std::size_t i = 0;
      for (const auto& [rate, name] : roofs) {
        expect(rates, i, rate, 1e9);
        EXPECT_EQ(lines[names].at(i++), name);
      }
    }
    std::size_t n = 0;
    std::set<std::string> keys{"memroofs", "mem_roof_names", "comproofs", "comp_roof_names"};
    const auto drawn = [](const KernelPoint& p) {
      return p.counts.operations.flops() > 0 && std::any_of(memory_levels.begin(), memory_levels.end(),
                                                            [&](auto level) { return p.counts.at(level).has_value(); });
    };
    for (const auto& p : run.points) {
      if (!drawn(p)) continue;
      const auto flops = static_cast<double>(p.counts.operations.flops());
      expect("FLOPS", n, flops / p.time.median, 1e9);
      ASSERT_GT(lines["labels"].size(), n);
      EXPECT_EQ(lines["labels"][n], p.name);
      double outermost = 0;
      for (const auto& [key, level] : {std::pair("AI_L1", MemoryLevel::L1),
                                       {"AI_L2", MemoryLevel::L2},
                                       {"AI_L3", MemoryLevel::L3},
                                       {"AI_HBM", MemoryLevel::DRAM}}) {
        const auto& bytes = p.counts.at(level);
        if (bytes) outermost = bytes->total(), expect(key, n, flops / outermost, 1), keys.insert(key);
        EXPECT_TRUE(bytes || !lines.contains(key) || lines[key].at(n) == "nan") << key;
      }
      expect("AI", n, flops / outermost, 1);
      ++n;
    }
    if (n > 0) keys.insert({"AI", "FLOPS", "labels"});
    for (const auto& [key, values] : lines) {
      EXPECT_TRUE(keys.contains(key)) << key << ": a line that nobody checks";
      EXPECT_TRUE(values.size() == n || key.find("roof") != key.npos) << key;
    }
  }
}

TEST(SelfConsistency, EveryRateOfErtsJsonIsThatOfTheModel) {
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const auto run = GeneratedRun(seed).results;
    const auto document = parse_json(ert_json(run), "");
    std::vector<std::pair<std::string, const Ceiling*>> flops{
        {"FP64 GFLOPs", fastest_unit(run, 2, Operation::fma, "fp64")},
        {"FP32 GFLOPs", fastest_unit(run, 2, Operation::fma, "fp32")}};
    std::vector<std::pair<std::string, const Ceiling*>> bytes;
    for (const auto level : memory_levels) bytes.emplace_back(name(level), fastest_memory(run, 2, level));
    for (const auto& [key, ceilings] : {std::pair("gflops", flops), std::pair("gbytes", bytes)}) {
      const auto &rates = document["empirical"][key]["data"], &theories = document["spec"][key]["data"];
      ASSERT_EQ(rates.size(), ceilings.size());
      std::size_t theory = 0;
      for (std::size_t i = 0; i < ceilings.size(); ++i) {
        const auto& [label, ceiling] = ceilings[i];
        EXPECT_EQ(rates[i][0], label);
        EXPECT_NEAR(rates[i][1].get<double>() * 1e9, ceiling->rate, 1e3) << label;
        if (!ceiling->theory) continue;
        ASSERT_GT(theories.size(), theory);
        EXPECT_EQ(theories[theory][0], label);
        EXPECT_NEAR(theories[theory++][1].get<double>() * 1e9, *ceiling->theory, 1e3) << label;
      }
      EXPECT_EQ(theories.size(), theory);
    }
    EXPECT_EQ(document["empirical"]["gbytes"]["metadata"]["OPENMP_THREADS"], 2);
    EXPECT_EQ(document["empirical"]["metadata"]["HOSTNAME"], run.machine.name);
  }
}

}  // namespace
}  // namespace roofline::self_consistency_of_files_test
