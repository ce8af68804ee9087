#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// The lines of a data.txt, each a key and its values. Every complaint is a FileError with file and line.
class DataTxtLines {
 public:
  /// A level that a point has no intensity at.
  static constexpr std::string_view missing = "nan";

  DataTxtLines(const std::string& text, std::string origin);

  [[noreturn]] void fail(int line, const std::string& what) const;
  /// "data.txt:3: AI: what"
  std::string said_at(const std::string& key, const std::string& what) const;

  /// Keys besides these.
  std::vector<std::string> others(const std::vector<std::string>& known) const;
  bool has(const std::string& key) const { return lines_.contains(key); }
  int line_of(const std::string& key) const { return has(key) ? lines_.at(key).number : 1; }

  /// Positive numbers; none where the key is absent.
  std::vector<double> numbers(const std::string& key) const;
  /// The same where "nan" stands for what is not known: the plotting scripts draw nothing there.
  std::vector<std::optional<double>> numbers_or_gaps(const std::string& key) const;
  /// Quoted names, which may stand side by side without a blank and may hold blanks and commas.
  std::vector<std::string> names(const std::string& key) const;

 private:
  struct Line {
    int number = 0;
    std::string values;
  };

  std::string origin_;
  std::map<std::string, Line> lines_;
};

}  // namespace roofline
