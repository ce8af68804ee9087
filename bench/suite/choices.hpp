#pragma once
#include <string>

namespace roofline {

/// --ceilings: which ones a run measures, or the file that it takes them from.
struct CeilingsChoice {
  enum class Kind { automatic, quick, full, none, file };
  Kind kind = Kind::automatic;
  std::string file = {};

  bool measured() const { return kind != Kind::none && kind != Kind::file; }
};

/// --counters: who counts, or the file that counts are taken from.
struct CountersChoice {
  enum class Kind { automatic, cupti, perf, model, none, file };
  Kind kind = Kind::automatic;
  std::string file = {};
};

// A word is one of the choices, anything that looks like a file (a dot or a slash in it) or is one is a file. Both
// throw std::invalid_argument on anything else: one line with the nearest choice.

CeilingsChoice parse_ceilings_choice(const std::string& text);
CountersChoice parse_counters_choice(const std::string& text);

}  // namespace roofline
