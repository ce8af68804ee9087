#include "bench/run/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "bench/options/choices.hpp"
#include "bench/result/reports.hpp"
#include "bench/suite/filter.hpp"
#include "bench/text/words.hpp"

namespace roofline {
namespace {

/// The variants that run, and of each family how many of how many that could.
struct Chosen {
  std::vector<const Variant*> kernels;
  std::map<std::string, std::pair<int, int>> of_family;
};

/// Without a filter: the variants of the run's subset. A filter selects the matching variants of the subset, and the
/// variant whose whole name it is. If the subset has none of a family, it selects all matching ones, because such a
/// filter asks for rows that only --full runs.
Chosen choose_kernels(const Suite& suite, const Options& options, const Filter& filter, Selection subset) {
  if (!options.case_study.empty()) {
    Chosen chosen;
    const auto& study = case_study(options.case_study);
    for (const auto& variant : suite.variants())
      if (concerns(study, variant.name)) chosen.kernels.push_back(&variant);
    return chosen;
  }
  const auto candidate = [&](const Variant& variant) { return !options.has_filter() || filter.matches(variant.name); };
  std::set<std::string> represented;
  for (const auto& variant : suite.variants())
    if (candidate(variant) && variant.selection <= subset) represented.insert(variant.family);
  Chosen chosen;
  for (const auto& variant : suite.variants()) {
    if (!candidate(variant)) continue;
    auto& [selected, all] = chosen.of_family[variant.family];
    ++all;
    const bool asked_for =
        options.has_filter() && (!represented.contains(variant.family) || variant.name == options.filter);
    if (variant.selection > subset && !asked_for) continue;
    ++selected;
    chosen.kernels.push_back(&variant);
  }
  return chosen;
}

bool of_ert(const std::vector<const Variant*>& kernels) {
  return std::any_of(kernels.begin(), kernels.end(), [](const Variant* kernel) { return kernel->family == "ert"; });
}

Selection ceiling_choice(const Options& options, bool kernels_filtered) {
  if (options.ceilings.kind == CeilingsChoice::Kind::full || options.full) return Selection::full;
  if (options.ceilings.kind == CeilingsChoice::Kind::quick || options.quick || kernels_filtered)
    return Selection::quick;
  return Selection::standard;
}

}  // namespace

Plan make_plan(const Suite& suite, const Options& options) {
  Plan plan;
  // A model brings its ceilings along.
  const bool measure_ceilings = options.ceilings.measured() || !suite.is_timed();
  const auto chosen = options.quick                    ? Selection::quick
                      : options.full || options.verify ? Selection::full
                                                       : Selection::standard;
  const Filter filter(options.has_filter() ? options.filter : ".");
  auto [kernels, of_family] = choose_kernels(suite, options, filter, chosen);
  plan.kernels = std::move(kernels);
  const auto ceilings = ceiling_choice(options, options.has_filter());
  for (const auto& ceiling : suite.ceilings()) {
    const bool needed = measure_ceilings && ceiling.selection <= ceilings;
    const bool asked =
        options.has_filter() && !filter.inverted() && filter.selective() && filter.matches(ceiling.ceiling.name);
    if (needed || asked) plan.ceilings.push_back(&ceiling);
  }
  if (options.has_filter() && plan.kernels.empty()) {
    // Nothing but ceilings was asked for, or nothing at all.
    std::erase_if(plan.ceilings, [&](const CeilingVariant* ceiling) { return !filter.matches(ceiling->ceiling.name); });
  }
  // Levels and ceilings are known without it, and it takes eight seconds: for studies of its own rows alone.
  const bool all = options.full || (!options.case_study.empty() && of_ert(plan.kernels));
  plan.with_ert = all && suite.is_timed() && !options.has_filter() && measure_ceilings;

  if (!options.full) {
    for (const auto& [family, counts] : of_family)
      if (counts.first < counts.second)
        plan.skipped.push_back(fmt::format("{}: {} of {} {}variants selected", family, counts.first, counts.second,
                                           options.has_filter() ? "matching " : ""));
    if (!options.has_filter() && measure_ceilings && plan.ceilings.size() < suite.ceilings().size())
      plan.skipped.push_back(fmt::format("ceilings: {} of {} selected", plan.ceilings.size(), suite.ceilings().size()));
    if (!plan.skipped.empty())
      plan.skipped.push_back(options.has_filter() ? "--full runs all that match"
                                                  : "--full runs everything, --benchmark_filter any of it");
  }
  // Whether a filter means a family whose rows nobody knows cannot be told, but that it excludes it.
  for (const auto& [family, why] : suite.skipped())
    if (!filter.inverted() || filter.matches(family)) plan.skipped.push_back(why);
  return plan;
}

std::vector<const Variant*> shuffled(std::vector<const Variant*> kernels, std::uint64_t seed) {
  std::mt19937_64 random(seed);  // std::shuffle gives other orders with other libraries
  for (std::size_t left = kernels.size(); left > 1; --left) std::swap(kernels[left - 1], kernels[random() % left]);
  std::stable_partition(kernels.begin(), kernels.end(),
                        [](const Variant* kernel) { return kernel->selection == Selection::quick; });
  return kernels;
}

std::string no_match_message(const Suite& suite, const std::string& flag, const std::string& text) {
  std::vector<std::string> names;
  for (const auto& registration : families()) names.push_back(registration.family.name);
  for (const auto& variant : suite.variants()) names.push_back(variant.name);
  for (const auto& ceiling : suite.ceilings()) names.push_back(ceiling.ceiling.name);
  names.push_back("ceiling");
  std::string families_text;
  for (const auto& registration : families()) families_text += " " + registration.family.name;
  return fmt::format("{}={} matches nothing{}; families:{} ceiling (all names: --full --benchmark_list_tests)", flag,
                     text, did_you_mean(text, names), families_text);
}

Suite make_suite(const Target& target, const Options& options, const Model* model) {
  Suite suite(target, options.seed);
  if (options.verify && is_virtual(options.device))
    suite.set_launches(Launches::verified);
  else if (model)
    suite.set_launches(model->launches);
  if (model) {
    for (const auto& ceiling : model->ceilings) suite.add_ceiling({ceiling, Selection::quick, {}});
  } else if (const auto* const source = ceiling_source(suite.platform())) {
    source->add(suite);
  }
  add_families(suite, options.sizes, [&](const Port& port) {
    return standard_sizes(port, suite.platform(), suite.launches(), options.size_of());
  });
  return suite;
}

}  // namespace roofline
