#include "bench/suite/filter.hpp"

#include <fmt/format.h>
#include <regex.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "bench/text/clean.hpp"

namespace roofline {
namespace {

constexpr std::size_t longest = 1000;
constexpr double most_repetitions = 1000;

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  const auto shown = shortened(text, 63);
  throw std::invalid_argument(fmt::format("--benchmark_filter={}: {}", shown, why));
}

/// Expressions whose matching or compiling can exhaust time or memory.
void require_harmless(const std::string& text, const std::string& pattern) {
  if (pattern.size() > longest)
    refuse(text, fmt::format("{} characters, at most {} are taken", pattern.size(), longest));
  double repetitions = 1;
  for (std::size_t i = 0; i + 1 < pattern.size(); ++i) {
    const bool digit = pattern[i + 1] >= '0' && pattern[i + 1] <= '9';
    if (pattern[i] == '\\' && digit) refuse(text, "references to groups are not taken");
    if (pattern[i] == '\\') {
      ++i;  // what follows stands for itself
      continue;
    }
    if (pattern[i] != '{') continue;
    for (auto at = i + 1; at < pattern.size() && pattern[at] != '}';) {
      double times = 1;
      const auto [end, error] = std::from_chars(pattern.data() + at, pattern.data() + pattern.size(), times);
      if (error == std::errc{}) repetitions *= std::max(1.0, times);
      at = error == std::errc{} ? static_cast<std::size_t>(end - pattern.data()) : at + 1;
    }
  }
  if (repetitions > most_repetitions) refuse(text, fmt::format("more than {} repetitions", most_repetitions));
}

}  // namespace

/// POSIX's own matcher: unlike std::regex it does not backtrack.
struct Filter::Expression {
  explicit Expression(const std::string& pattern)
      : error(::regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB)) {}
  ~Expression() {
    if (error == 0) ::regfree(&compiled);
  }
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;

  std::string why() const {
    char text[200];
    ::regerror(error, &compiled, text, sizeof text);
    return text;
  }

  regex_t compiled{};
  int error;
};

Filter::Filter(const std::string& text) : inverted_(!text.empty() && text[0] == '-') {
  const auto pattern = inverted_ ? text.substr(1) : text;
  selective_ = pattern != "all" && pattern != ".";
  require_harmless(text, pattern);
  const auto expression = std::make_shared<Expression>(selective_ ? pattern : ".");
  if (expression->error != 0) refuse(text, fmt::format("not a regular expression ({})", expression->why()));
  expression_ = expression;
}

bool Filter::matches(const std::string& name) const {
  return (::regexec(&expression_->compiled, name.c_str(), 0, nullptr, 0) == 0) != inverted_;
}

}  // namespace roofline
