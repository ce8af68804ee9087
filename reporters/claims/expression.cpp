#include "reporters/claims/expression.hpp"

#include <cctype>
#include <cstdlib>

namespace roofline::claims {
namespace {

Value power(const Value& a, const Value& b) {
  return {std::pow(a.value, b.value), std::pow(a.low, b.value), std::pow(a.high, b.value)};
}

Value least(const Value& a, const Value& b) {
  return {std::min(a.value, b.value), std::min(a.low, b.low), std::min(a.high, b.high)};
}
Value largest(const Value& a, const Value& b) {
  return {std::max(a.value, b.value), std::max(a.low, b.low), std::max(a.high, b.high)};
}

Value magnitude(const Value& a) {
  if (a.low >= 0) return a;
  if (a.high <= 0) return Value{0} - a;
  return {std::abs(a.value), 0, std::max(-a.low, a.high)};
}

Value harmonic(const std::vector<Value>& values) {
  Value sum{0};
  for (const auto& value : values) {
    if (value.value <= 0) return 0;  // one platform that is not supported
    sum = sum + Value{1} / value;
  }
  return Value{static_cast<double>(values.size())} / sum;
}

Value call(const std::string& function, const std::vector<Value>& a) {
  if (a.empty()) throw Malformed(function + " of nothing");
  if (function == "min" || function == "max") {
    auto result = a[0];
    for (const auto& value : a) result = function == "min" ? least(result, value) : largest(result, value);
    return result;
  }
  if (function == "abs") return magnitude(a[0]);
  if (function == "mid") return a[0].value;
  if (function == "sqrt") return {std::sqrt(a[0].value), std::sqrt(a[0].low), std::sqrt(a[0].high)};
  if (function == "log2") return {std::log2(a[0].value), std::log2(a[0].low), std::log2(a[0].high)};
  if (function == "harmonic") return harmonic(a);
  throw Malformed("no function " + function);
}

class Parser {
 public:
  Parser(const std::string& text, Scope& scope, int depth) : text_(text), scope_(scope), depth_(depth) {
    if (depth > 20) throw Malformed("a name that refers to itself: " + text);
  }

  Value sum() {
    auto value = product();
    for (;;) {
      if (take('+'))
        value = value + product();
      else if (take('-'))
        value = value - product();
      else
        return value;
    }
  }
  std::string comparison_operator() {
    skip();
    std::string found;
    while (at_ < text_.size() && std::string("<>=~").find(text_[at_]) != std::string::npos) found += text_[at_++];
    return found;
  }
  std::string word() {
    skip();
    std::string found;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      found += text_[at_++];
    return found;
  }
  void end() {
    skip();
    if (at_ != text_.size()) throw Malformed("'" + text_.substr(at_) + "' is left of: " + text_);
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    return ++at_, true;
  }
  Value product() {
    auto value = factor();
    for (;;) {
      if (take('*'))
        value = value * factor();
      else if (take('/'))
        value = value / factor();
      else
        return value;
    }
  }
  Value factor() {
    const auto base = unary();
    return take('^') ? power(base, unary()) : base;
  }
  Value unary() {
    if (take('-')) return Value{0} - unary();
    if (take('(')) {
      const auto value = sum();
      if (!take(')')) throw Malformed("no ')' in: " + text_);
      return value;
    }
    skip();
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) {
      char* end = nullptr;
      const double number = std::strtod(text_.c_str() + at_, &end);
      at_ = static_cast<std::size_t>(end - text_.c_str());
      return number;
    }
    return named(word());
  }
  Value named(const std::string& name) {
    if (name.empty()) throw Malformed("nothing where a number should be: " + text_);
    if (take('[')) {
      const auto close = text_.find(']', at_);
      if (close == std::string::npos) throw Malformed("no ']' in: " + text_);
      const auto subject = text_.substr(at_, close - at_);
      at_ = close + 1;
      return figure(name, subject);
    }
    if (take('(')) {
      std::vector<Value> arguments;
      do arguments.push_back(sum());
      while (take(','));
      if (!take(')')) throw Malformed("no ')' in: " + text_);
      return call(name, arguments);
    }
    const auto found = scope_.names.find(name);
    if (found == scope_.names.end()) throw Malformed("no name '" + name + "' in: " + text_);
    Parser inner(found->second, scope_, depth_ + 1);
    const auto value = inner.sum();
    inner.end();
    return value;
  }
  Value figure(const std::string& kind, const std::string& subject) {
    const auto row = subject.substr(0, subject.find(" @"));
    if (kind == "rate") return raw("flops", row) / raw("time", row);
    if (kind == "ai") return raw("flops", row) / raw("bytes", subject);
    if (kind == "bw") return raw("bytes", subject) / raw("time", row);
    if (kind == "ridge") return raw("ceiling", "fma") / raw("bandwidth", subject);
    return raw(kind, subject);
  }
  Value raw(const std::string& kind, const std::string& subject) {
    const auto text = kind + "[" + subject + "]";
    const auto fact = scope_.facts.find(kind, subject, scope_.end);
    if (!fact) {
      const auto row = subject.substr(0, subject.find(" @"));
      throw Missing(text, kind, kind != "pub" && row.find('/') != std::string::npos ? row : std::string());
    }
    scope_.used.add(text, *fact);
    return fact->value;
  }

  const std::string& text_;
  Scope& scope_;
  int depth_;
  std::size_t at_ = 0;
};

Truth equal(const Value& a, const Value& b) {
  return near(a, b, 1e-12 * std::max(std::abs(a.value), std::abs(b.value)));
}

}  // namespace

void Used::add(const std::string& text, const Fact& fact) {
  for (const auto& [known, value] : facts)
    if (known == text) return;
  facts.emplace_back(text, fact);
}

Value evaluate(const std::string& expression, Scope& scope) {
  Parser parser(expression, scope, 0);
  const auto value = parser.sum();
  parser.end();
  return value;
}

Comparison compare(const std::string& comparison, Scope& scope) {
  Parser parser(comparison, scope, 0);
  Comparison result;
  result.left = parser.sum();
  const auto sign = parser.comparison_operator();
  result.right = parser.sum();
  const auto &a = result.left, &b = result.right;
  if (sign == "<=")
    result.truth = at_most(a, b);
  else if (sign == ">=")
    result.truth = at_most(b, a);
  else if (sign == "<")
    result.truth = below(a, b);
  else if (sign == ">")
    result.truth = below(b, a);
  else if (sign == "==")
    result.truth = equal(a, b);
  else if (sign == "~") {
    const auto how = parser.word();
    const double distance = parser.sum().value;
    if (how == "within")
      result.truth = near(a / b, 1, distance);
    else if (how == "to")
      result.truth = near(a, b, distance);
    else
      throw Malformed("neither within nor to: " + comparison);
  } else
    throw Malformed("no comparison: " + comparison);
  parser.end();
  return result;
}

}  // namespace roofline::claims
