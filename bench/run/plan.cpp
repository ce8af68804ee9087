#include "bench/run/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <regex>
#include <stdexcept>

#include "bench/text/nearest.hpp"

namespace roofline {
namespace {

/// Google Benchmark's rule: an extended regular expression found anywhere in the name, inverted by a leading '-'.
class Filter {
 public:
  explicit Filter(const std::string& text) : inverted_(!text.empty() && text[0] == '-') {
    const auto pattern = inverted_ ? text.substr(1) : text;
    try {
      expression_.assign(pattern == "all" ? "." : pattern, std::regex::extended);
    } catch (const std::regex_error& error) {
      throw std::invalid_argument(
          fmt::format("--benchmark_filter={}: not a regular expression ({})", text, error.what()));
    }
  }
  bool matches(const std::string& name) const { return std::regex_search(name, expression_) != inverted_; }
  bool inverted() const { return inverted_; }

 private:
  bool inverted_;
  std::regex expression_;
};

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
  const bool measure_ceilings = options.ceilings.measured() || !options.model.empty();
  const auto chosen = options.quick                    ? Selection::quick
                      : options.full || options.verify ? Selection::full
                                                       : Selection::standard;
  const Filter filter(options.has_filter() ? options.filter : ".");

  std::map<std::string, std::pair<int, int>> selected_of;  // by family
  for (const auto& variant : suite.variants()) {
    const bool run = options.has_filter() ? filter.matches(variant.name) : variant.selection <= chosen;
    auto& [selected, all] = selected_of[variant.family];
    ++all;
    if (!run) continue;
    ++selected;
    plan.kernels.push_back(&variant);
  }
  const auto ceilings = ceiling_choice(options, options.has_filter());
  for (const auto& ceiling : suite.ceilings()) {
    const bool needed = measure_ceilings && ceiling.selection <= ceilings;
    const bool asked = options.has_filter() && !filter.inverted() && options.filter != "." && options.filter != "all" &&
                       filter.matches(ceiling.ceiling.name);
    if (needed || asked) plan.ceilings.push_back(&ceiling);
  }
  if (options.has_filter() && plan.kernels.empty()) {
    // Nothing but ceilings was asked for, or nothing at all.
    std::erase_if(plan.ceilings, [&](const CeilingVariant* ceiling) { return !filter.matches(ceiling->ceiling.name); });
  }
  plan.with_ert = suite.platform() != Platform::modelled && !options.has_filter() && !options.quick &&
                  measure_ceilings && options.model.empty();

  if (!options.has_filter() && !options.full) {
    for (const auto& [family, counts] : selected_of)
      if (counts.first < counts.second)
        plan.left_out.push_back(fmt::format("{}: {} of {} variants selected", family, counts.first, counts.second));
    if (measure_ceilings && plan.ceilings.size() < suite.ceilings().size())
      plan.left_out.push_back(
          fmt::format("ceilings: {} of {} selected", plan.ceilings.size(), suite.ceilings().size()));
    if (!plan.left_out.empty()) plan.left_out.push_back("--full runs everything, --benchmark_filter any of it");
  }
  return plan;
}

std::vector<const Variant*> shuffled(std::vector<const Variant*> kernels, std::uint64_t seed) {
  std::mt19937_64 random(seed);  // std::shuffle gives other orders with other libraries
  for (std::size_t left = kernels.size(); left > 1; --left) std::swap(kernels[left - 1], kernels[random() % left]);
  return kernels;
}

std::string no_match_message(const Suite& suite, const std::string& flag, const std::string& text) {
  std::vector<std::string> names;
  for (const auto& registration : families()) names.push_back(registration.family.name);
  for (const auto& variant : suite.variants()) names.push_back(variant.name);
  for (const auto& ceiling : suite.ceilings()) names.push_back(ceiling.ceiling.name);
  names.push_back("ceiling");
  const auto guess = nearest(text, names);
  std::string families_text;
  for (const auto& registration : families()) families_text += " " + registration.family.name;
  return fmt::format("{}={} matches nothing{}; families:{} ceiling (all names: --full --benchmark_list_tests)", flag,
                     text, guess.empty() ? "" : ", did you mean " + guess + "?", families_text);
}

}  // namespace roofline
