#pragma once
#include <memory>
#include <string>

namespace roofline {

/// Google Benchmark's rule: an extended regular expression found anywhere in a row's name, inverted by a leading '-';
/// "all" is every row.
class Filter {
 public:
  /// Throws std::invalid_argument, one line, if the text is not an expression, is longer than 1000 characters, or could
  /// take for ever because of references to groups or more than 1000 repetitions by braces.
  explicit Filter(const std::string& text);

  bool matches(const std::string& name) const;
  bool inverted() const { return inverted_; }
  /// Whether it says something about names: "." and "all" do not.
  bool selective() const { return selective_; }

 private:
  bool inverted_, selective_;
  struct Expression;
  std::shared_ptr<const Expression> expression_;
};

}  // namespace roofline
