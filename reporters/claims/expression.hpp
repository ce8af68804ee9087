#pragma once
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "reporters/claims/facts.hpp"

namespace roofline::claims {

/// A figure that an expression needs and the facts do not have: its text, as "time[gpp/nw:6/fma:1/stride:1]".
struct Missing : std::runtime_error {
  Missing(const std::string& what, std::string kind_, std::string rows_)
      : runtime_error(what), kind(std::move(kind_)), rows(std::move(rows_)) {}
  std::string kind;  ///< "time"
  std::string rows;  ///< a pattern of the rows that would have it; empty: no row has
};

/// The text is not an expression. The error is in the data of the program, not in the user's input.
struct Malformed : std::logic_error {
  using std::logic_error::logic_error;
};

/// Figures by their text, in the order of their first use.
struct Used {
  std::vector<std::pair<std::string, Fact>> facts;
  void add(const std::string& text, const Fact& fact);
};

/// The names that an expression may refer to.
struct Scope {
  const Facts& facts;
  std::map<std::string, std::string> names = {};  ///< name -> expression
  End end = End::middle;
  Used used = {};
};

/// A comparison, decided, and what stood on its two sides.
struct Comparison {
  Truth truth = Truth::unknown;
  Value left, right;
};

/// Numbers, + - * / ^, parentheses, min max abs sqrt log2 harmonic, mid (the interval dropped), names of the scope,
/// figures as kind[subject]. Besides the kinds of Facts: rate[ROW] FLOP/s, ai[ROW @LEVEL] FLOP/B, bw[ROW @LEVEL] B/s.
/// Throws Missing, Malformed.
Value evaluate(const std::string& expression, Scope& scope);

/// LEFT op RIGHT with op one of < <= > >=, == (counts, to 1e-12), or ~ "RIGHT within SHARE", "RIGHT to DISTANCE".
Comparison compare(const std::string& comparison, Scope& scope);

}  // namespace roofline::claims
