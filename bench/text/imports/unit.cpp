#include "bench/text/imports/unit.hpp"

#include <cctype>
#include <map>
#include <vector>

#include "bench/text/words.hpp"

namespace roofline {
namespace {

/// Spellings without a prefix, in small letters.
const std::map<std::string, std::string>& bases() {
  static const std::map<std::string, std::string> all{
      {"byte", "byte"},           {"bytes", "byte"},        {"b", "byte"},
      {"second", "second"},       {"seconds", "second"},    {"sec", "second"},
      {"secs", "second"},         {"s", "second"},          {"flop", "flop"},
      {"flops", "flop"},          {"hz", "cycle/second"},   {"inst", "inst"},
      {"instruction", "inst"},    {"instructions", "inst"}, {"thread inst", "inst"},
      {"cycle", "cycle"},         {"cycles", "cycle"},      {"sector", "sector"},
      {"sectors", "sector"},      {"request", "request"},   {"requests", "request"},
      {"thread", "thread"},       {"threads", "thread"},    {"block", "block"},
      {"blocks", "block"},        {"warp", "warp"},         {"warps", "warp"},
      {"branch", "branch"},       {"branches", "branch"},   {"wavefront", "wavefront"},
      {"wavefronts", "wavefront"}};
  return all;
}

constexpr double kibi = 1024;
const std::map<std::string, double> larger{{"k", 1e3},
                                           {"m", 1e6},
                                           {"g", 1e9},
                                           {"t", 1e12},
                                           {"p", 1e15},
                                           {"e", 1e18},
                                           {"ki", kibi},
                                           {"mi", kibi* kibi},
                                           {"gi", kibi* kibi* kibi},
                                           {"ti", kibi* kibi* kibi* kibi}};
const std::map<std::string, double> smaller{{"m", 1e-3},      {"u", 1e-6}, {"\u00b5", 1e-6},
                                            {"\u03bc", 1e-6}, {"n", 1e-9}, {"p", 1e-12}};

std::optional<Unit> simple(std::string_view text) {
  const auto small = lower_case(std::string(text));
  if (const auto found = bases().find(small); found != bases().end()) return Unit{found->second, 1};
  for (std::size_t n = 1; n <= 2 && n < text.size(); ++n) {
    const auto base = bases().find(small.substr(n));
    if (base == bases().end()) continue;
    const bool seconds = base->second == "second";
    // Prefixes of seconds mean small letters: there are no megaseconds.
    const auto& prefixes = seconds ? smaller : larger;
    const auto prefix = prefixes.find(seconds ? std::string(text.substr(0, n)) : small.substr(0, n));
    const bool may_be_bits = base->first == "b" && text.back() == 'b' && small != text;
    if (prefix != prefixes.end() && !may_be_bits) return Unit{base->second, prefix->second};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Unit> unit_named(std::string_view text) {
  if (text.empty()) return Unit{"", 1};
  if (const auto slash = text.find('/'); slash != text.npos) {
    const auto above = simple(text.substr(0, slash)), below = simple(text.substr(slash + 1));
    if (!above || !below) return std::nullopt;
    return Unit{above->of + "/" + below->of, above->factor / below->factor};
  }
  if (const auto one = simple(text)) return one;
  if (!lower_case(std::string(text)).ends_with("ps")) return std::nullopt;  // "GBps"
  const auto above = simple(text.substr(0, text.size() - 2));
  return above ? std::optional(Unit{above->of + "/second", above->factor}) : std::nullopt;
}

std::optional<Unit> unit_in(std::string_view name, std::string_view base) {
  std::vector<std::string> words{""};
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '/' || static_cast<unsigned char>(c) > 127)
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  const std::string rate = std::string(base) + "/second";
  for (auto i = words.size(); i-- > 0;) {
    auto word = words[i];
    if (word.starts_with("/")) word.erase(0, 1);
    const auto unit = unit_named(word);
    if (!unit || (unit->of != base && unit->of != rate)) continue;
    const auto follows = [&](std::size_t n, const char* a, const char* b, const char* c) {
      const auto next = i + n < words.size() ? lower_case(words[i + n]) : "";
      return next == a || next == b || next == c;
    };
    const bool per_second = follows(1, "s", "sec", "second") || follows(1, "/s", "/sec", "/second") ||
                            (follows(1, "per", "p", "/") && follows(2, "s", "sec", "second"));
    return per_second ? Unit{rate, unit->factor} : unit;
  }
  return std::nullopt;
}

}  // namespace roofline
