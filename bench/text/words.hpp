#pragma once
#include <string_view>
#include <vector>

namespace roofline {

/// A word of tables, plots and names, and what it means.
struct Word {
  std::string_view word, meaning;
};

/// The glossary, in alphabetical order without regard to case.
const std::vector<Word>& words();

}  // namespace roofline
