#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

/// A command line whose flags of earlier versions have the names of today. What follows "--" is another program's.
class RenamedFlags {
 public:
  RenamedFlags(int argc, const char* const* argv) : arguments_(argv, argv + argc) {
    constexpr std::pair<std::string_view, std::string_view> renamed[] = {
        {"--check", "--sanitize"}, {"--divide", "--division-flops"}, {"--second-opinion", "--external-ceilings"}};
    for (auto& argument : arguments_) {
      if (argument == "--") break;
      const auto flag = std::string_view(argument).substr(0, argument.find('='));
      for (const auto& [then, now] : renamed) {
        if (flag != then) continue;
        notice_ = fmt::format("{} is now {}", then, now);
        argument = std::string(now) + argument.substr(then.size());
        break;
      }
    }
    for (const auto& argument : arguments_) pointers_.push_back(argument.c_str());
  }

  int count() const { return static_cast<int>(pointers_.size()); }
  const char* const* values() const { return pointers_.data(); }
  /// About the last flag of an earlier version, one line; empty: there was none.
  const std::string& notice() const { return notice_; }

 private:
  std::vector<std::string> arguments_;
  std::vector<const char*> pointers_;
  std::string notice_;
};

}  // namespace roofline
