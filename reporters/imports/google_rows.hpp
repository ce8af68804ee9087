#pragma once
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace roofline {

/// A row of Google Benchmark's JSON: the value of a key. Numbers that are not above zero count as absent, 0.
double positive_in(const nlohmann::ordered_json& row, const std::string& key);
std::string text_in(const nlohmann::ordered_json& row, const char* key);      ///< empty: absent
std::int64_t integer_in(const nlohmann::ordered_json& row, const char* key);  ///< -1: absent
/// A time without a unit is in ns; 0: absent, or the unit is not a unit of time.
double seconds_in(const nlohmann::ordered_json& row, const char* key);
/// The row's real_time. Throws FileError where it has none.
double wall_seconds(const nlohmann::ordered_json& row, const std::string& origin);

/// Repetitions of one row, or what statistics say of them.
struct GoogleGroup {
  std::string name;
  std::vector<const nlohmann::ordered_json*> repetitions;
  std::map<std::string, const nlohmann::ordered_json*> statistics;  ///< by "mean", "median", ...
  std::set<std::int64_t> indices;                                   ///< of repetitions
};

/// The rows of a file, put together to what was measured: one group for each name and family, whatever version wrote
/// them. Rows of complexities are left out.
class GoogleRows {
 public:
  /// Keeps pointers into `rows`. Throws FileError with the place.
  GoogleRows(const nlohmann::ordered_json& rows, const std::string& origin);

  const std::vector<GoogleGroup>& groups() const { return groups_; }
  /// Rows without a result, and why.
  const std::vector<std::pair<std::string, std::string>>& failures() const { return failures_; }
  const std::set<std::string>& counters() const { return counters_; }

 private:
  std::string statistic_of(const nlohmann::ordered_json& row, std::string& name) const;
  void see(const nlohmann::ordered_json& row, const std::string& place);
  bool is_another(const GoogleGroup& group, const nlohmann::ordered_json& row, const std::string& name) const;

  std::set<std::string> names_, counters_;
  std::vector<GoogleGroup> groups_;
  std::map<std::string, std::vector<std::size_t>> numbers_;  ///< of groups, by name and family
  std::vector<std::pair<std::string, std::string>> failures_;
};

}  // namespace roofline
