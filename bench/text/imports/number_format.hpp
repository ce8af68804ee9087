#pragma once
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace roofline {

/// Text that is not a number in any language: "< 0.001", "????".
struct NoNumber : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// How one table writes its numbers. A cell alone cannot tell: "9.216" is nine in one language and nine thousand in
/// another, and programs follow the language of their user. So all cells are looked at first, then read.
class NumberFormat {
 public:
  /// `point` or `comma` where the user says which; 0: the cells tell.
  explicit NumberFormat(char decimal = 0) : given_(decimal) {}

  /// Looks at a cell. `whole`: the quantity has no fractions, so a single separator before three digits stands between
  /// thousands. Cells that are not numbers are ignored.
  void see(std::string_view cell, bool whole = false);

  /// The value; absent for what programs write where there is none ("", "-", "n/a", "nan", "<not counted>"). Spaces of
  /// any kind and apostrophes may stand between thousands. Throws std::invalid_argument, a sentence that quotes the
  /// cell: no number, below zero, or written in another way than the other cells; NoNumber where nothing in it is one.
  std::optional<double> read(std::string_view cell, bool whole = false) const;

  /// A cell that is read with a decimal point although no cell proves one; empty: none.
  std::string guessed() const;

 private:
  char decimal() const;  ///< 0: nothing tells

  char given_;
  std::string point_, comma_;              ///< cells that prove a decimal point or comma
  std::string whole_point_, whole_comma_;  ///< cells that speak for it, being of whole numbers
  std::string unclear_;
};

}  // namespace roofline
