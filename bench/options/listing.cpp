#include "bench/options/listing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <tuple>
#include <vector>

#include "bench/options/options.hpp"
#include "bench/text/table.hpp"
#include "bench/text/words.hpp"

namespace roofline {
namespace {

/// Text in lines of at most 100 characters, indented after the first, before which as much stands already.
std::string wrap_beside(const std::string& text, std::size_t indent) {
  return fmt::format("{}",
                     fmt::join(split(wrap(text, terminal_width - indent, 0), '\n'), "\n" + std::string(indent, ' ')));
}

/// The axes of a family: "nw 1 2 3 4 5 6, fma 0 1" from the names of its variants; parts without ':' are kinds.
std::string axes(const Suite& suite, const std::string& family) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::string>> values;
  for (const auto& variant : suite.variants()) {
    if (variant.family != family) continue;
    std::istringstream parts(variant.name.substr(std::min(variant.name.size(), family.size() + 1)));
    for (std::string part; std::getline(parts, part, '/');) {
      const auto colon = part.find(':');
      const auto axis = colon == std::string::npos ? std::string{} : part.substr(0, colon);
      const auto value = colon == std::string::npos ? part : part.substr(colon + 1);
      if (!values.count(axis)) order.push_back(axis);
      auto& seen = values[axis];
      if (std::find(seen.begin(), seen.end(), value) == seen.end()) seen.push_back(value);
    }
  }
  std::string text;
  for (const auto& axis : order) {
    text += (text.empty() ? "" : "; ") + axis + (axis.empty() ? "" : ":");
    for (std::size_t i = 0; i < values[axis].size(); ++i) text += (i || !axis.empty() ? " " : "") + values[axis][i];
  }
  return text;
}

/// The meaning of the ceilings' names.
std::string ceiling_axes(const Suite& suite) {
  return suite.platform() == Platform::cuda
             ? "ceiling/flops/PRECISION/OPERATION/vector[/chain][/warps:N] or /tensor:INSTRUCTION; "
               "ceiling/bandwidth/LEVEL/MIX, for sysmem h2d, d2h and both_ways; "
               "ceiling/instructions/issue; .../sustained: after seconds of load"
             : "ceiling/flops/PRECISION/OPERATION/ISA[/chain]/threads:N; ceiling/bandwidth/LEVEL/MIX/threads:N; "
               "ceiling/instructions/front_end/threads:N; ceiling/overhead/fork_join/threads:N; "
               "ceiling/rate/NAME/threads:N; "
               ".../sustained/threads:N: after seconds of load";
}

constexpr const char* ceilings_teach = "the best this machine does: the lines of the roofline";

std::string describe_glossary() {
  std::size_t widest = 0;
  for (const auto& [word, meaning] : words()) widest = std::max(widest, word.size());
  std::string text = "The words of tables, plots and names\n\n";
  for (const auto& [word, meaning] : words())
    text += fmt::format("{:<{}}{}\n", word, widest + 2, wrap_beside(std::string(meaning), widest + 2));
  return text;
}

std::string describe_ceilings(const Suite& suite) {
  auto text = fmt::format(
      "ceiling\n\n{}\n\nnames: {}\nrun:   {}\n\nceilings:\n", ceilings_teach, wrap_beside(ceiling_axes(suite), 7),
      wrap_beside("chosen by --ceilings=auto|quick|full|none, or from a file; each is the median of "
                  "its visits, of which the best sample counts; --describe=glossary has the words",
                  7));
  for (const auto& ceiling : suite.ceilings()) text += "  " + ceiling.ceiling.name + "\n";
  return text;
}

std::string selection_text(Selection selection) {
  switch (selection) {
    case Selection::quick:
      return "--quick, the default suite, --full";
    case Selection::standard:
      return "the default suite, --full";
    case Selection::full:
      return "--full, or a filter";
  }
  return {};
}

/// Whether whole parts of a name, which slashes separate, begin like `text`: "collide/v3" of lbm/collide/v3/fma:1, and
/// not "/" of any.
bool has_parts(const std::string& name, const std::string& text) {
  if (text.empty() || !std::isalnum(static_cast<unsigned char>(text.front()))) return false;
  for (std::size_t at = name.find(text); at != std::string::npos; at = name.find(text, at + 1))
    if (at == 0 || name[at - 1] == '/') return true;
  return false;
}

/// A family of ceilings: ceiling/flops, ceiling/bandwidth/DRAM; absent when no name begins so.
std::optional<std::string> describe_some_ceilings(const Suite& suite, const std::string& prefix) {
  std::string rows;
  for (const auto& c : suite.ceilings())
    if (c.ceiling.name.starts_with(prefix + "/"))
      rows += fmt::format("  {} ({})\n", c.ceiling.name, selection_text(c.selection));
  if (rows.empty() || !prefix.starts_with("ceiling/")) return std::nullopt;
  return fmt::format(
      "{}\n\nEach by the fastest of its generated codes: the median of its visits, of which the best sample "
      "counts.\n\n{}",
      prefix, rows);
}

}  // namespace

std::string list_families(const Suite& suite) {
  std::string text;
  const auto row = [&](const char* key, const std::string& value) {
    if (!value.empty()) text += fmt::format("  {:<10}{}\n", key, wrap_beside(value, 12));
  };
  for (const auto& [family, ports] : families()) {
    const auto n = std::count_if(suite.variants().begin(), suite.variants().end(),
                                 [&, &name = family.name](const Variant& v) { return v.family == name; });
    text += fmt::format("{}  ({} variant{})\n", family.name, n, n == 1 ? "" : "s");
    row("variants", axes(suite, family.name));
    row("FLOP", family.flops);
    row("bytes", family.bytes);
    row("teaches", family.teaches);
    if (!family.size_names.empty())
      row("size", fmt::format("--{}={}  {}", family.name, family.size_names, describe_sizes({family, ports})));
    text += "\n";
  }
  text += fmt::format("ceiling  ({} variants)\n", suite.ceilings().size());
  row("variants", ceiling_axes(suite));
  row("teaches", ceilings_teach);
  return text;
}

std::string describe_sizes(const Registration& registration) {
  const auto& [family, ports] = registration;
  std::string defaults;
  const std::tuple<Platform, const char*, Sizes Port::*> all[] = {{Platform::cpu, "", &Port::default_sizes},
                                                                  {Platform::cuda, "on a GPU ", &Port::default_sizes},
                                                                  {Platform::cuda, "modelled ", &Port::modelled_sizes}};
  for (const auto& [platform, where, member] : all) {
    const auto port = ports.find(platform);
    if (port == ports.end()) continue;
    const auto& sizes = port->second.*member;
    if (sizes.empty()) continue;
    const bool automatic = std::all_of(sizes.begin(), sizes.end(), [](Index size) { return size == 0; });
    defaults +=
        (defaults.empty() ? "" : "; ") +
        fmt::format("{}{}", where, automatic ? "chosen by the machine" : fmt::format("{}", fmt::join(sizes, ",")));
  }
  return fmt::format("{} (default: {})", family.size_range, defaults);
}

std::optional<std::string> describe(const Suite& suite, const std::string& name) {
  if (name == "ceiling") return describe_ceilings(suite);
  if (name == "glossary" || name == "words") return describe_glossary();
  if (const auto some = describe_some_ceilings(suite, name)) return some;
  for (const auto& [family, ports] : families()) {
    const bool is_family = family.name == name;
    const Variant* variant = nullptr;
    for (const auto& v : suite.variants())
      if (v.family == family.name && (v.name == name || (!variant && has_parts(v.name, name)))) variant = &v;
    if (is_family) variant = nullptr;
    if (!is_family && !variant) continue;
    std::string text = (variant ? variant->name : name) + "\n\n";
    if (variant && !variant->about.empty()) text += wrap_lines(variant->about, 2) + "\n";
    text += wrap_lines(family.description, 2) + "\n";
    text += fmt::format("FLOP:  {}\nbytes: {}\n", wrap_beside(family.flops, 7), wrap_beside(family.bytes, 7));
    if (variant) {
      text += fmt::format("runs in: {}\n", selection_text(variant->selection));
      if (!variant->tunings.empty()) text += "\ntunings (a trial on this machine takes the fastest):\n";
      for (const auto& tuning : variant->tunings) text += "  " + tuning.name + "\n";
    } else {
      if (!family.size_names.empty()) {
        text += fmt::format("size:  --{}={}\n       {}\n", family.name, family.size_names,
                            wrap_beside(describe_sizes({family, ports}), 7));
      }
      text += "\nvariants:\n";
      for (const auto& v : suite.variants())
        if (v.family == family.name) text += "  " + v.name + "\n";
    }
    return text;
  }
  for (const auto& c : suite.ceilings())
    if (c.ceiling.name == name)
      return fmt::format(
          "{}\n\nThe median of its visits, of which the best sample counts, by the fastest of {} generated "
          "codes{}.\nruns in: {}\n",
          name, c.make.size(), c.ceiling.sustained ? ",\nall from the second half of a load of four seconds" : "",
          selection_text(c.selection));
  return std::nullopt;
}

std::string nothing_to_describe(const Suite& suite, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& registration : families()) names.push_back(registration.family.name);
  for (const char* other : {"ceiling", "counters", "glossary"}) names.push_back(other);
  const auto topics = fmt::format("{}", fmt::join(names, ", "));
  for (const auto& variant : suite.variants()) names.push_back(variant.name);
  for (const auto& ceiling : suite.ceilings()) names.push_back(ceiling.ceiling.name);
  return fmt::format("--describe={} matches nothing{}; expected {}, or the name of a row", name,
                     did_you_mean(name, names), topics);
}

}  // namespace roofline
