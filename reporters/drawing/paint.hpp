#pragma once
#include <string>

namespace roofline {

/// Colours of a terminal, or none.
struct Paint {
  bool on = false;

  std::string bold(const std::string& text) const { return in("1", text); }
  std::string faint(const std::string& text) const { return in("2", text); }
  std::string good(const std::string& text) const { return in("32", text); }
  std::string fair(const std::string& text) const { return in("33", text); }
  std::string bad(const std::string& text) const { return in("31", text); }

 private:
  std::string in(const char* code, const std::string& text) const {
    return on && !text.empty() ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
  }
};

}  // namespace roofline
