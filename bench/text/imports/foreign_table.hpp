#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bench/text/csv.hpp"
#include "bench/text/imports/number_format.hpp"

namespace roofline {

/// Small letters, without blanks around.
std::string plain_word(std::string_view text);

/// Whether a text has each of these words somewhere.
bool mentions(std::string_view text, std::initializer_list<std::string_view> words);

/// A table in a file that another program or a spreadsheet wrote: between commas, semicolons or tabs, as its header
/// has them, behind and among lines of other kinds. Columns are found by name, whatever its case. Every complaint is a
/// FileError with file and line.
class ForeignTable {
 public:
  struct Rules {
    char decimal = 0;     ///< '.' or ',' where the user says it
    std::string through;  ///< the last column that every row has; empty: all have all
    /// Gets a line for each column with a cell that is not a number; the cell is then absent. Null: such a cell is an
    /// error.
    std::vector<std::string>* odd = nullptr;
  };

  /// All tables whose header has all of these columns; each ends where another header begins. Lines that begin with
  /// "==" or "#", and sentences, are skipped. Throws FileError if the last line is cut off, or a row has another number
  /// of fields than the header.
  static std::vector<ForeignTable> find(const std::string& text, const std::string& origin,
                                        const std::vector<std::string>& columns, const Rules& rules);
  static std::vector<ForeignTable> find(const std::string& text, const std::string& origin,
                                        const std::vector<std::string>& columns) {
    return find(text, origin, columns, Rules());
  }
  /// The only one; FileError where there is none.
  static ForeignTable one(const std::string& text, const std::string& origin, const std::vector<std::string>& columns,
                          const Rules& rules);

  std::vector<std::string> columns;
  std::vector<CsvRecord> rows;

  std::optional<std::size_t> column(std::string_view name) const;
  bool has(std::string_view name) const { return column(name).has_value(); }
  /// A field; empty where there is no such column.
  std::string text(const CsvRecord& row, std::string_view name) const;

  /// Looks at the numbers of a column, all of them, before the first is read.
  void see(std::string_view name, bool whole = false);
  void see(const CsvRecord& row, std::size_t column, bool whole = false);
  /// Absent where there is none; see NumberFormat.
  std::optional<double> number(const CsvRecord& row, std::string_view name, bool whole = false) const;
  std::optional<double> number(const CsvRecord& row, std::size_t column, bool whole = false) const;
  /// A fraction, or percent with its sign; `percent`: without a sign, too.
  std::optional<double> fraction(const CsvRecord& row, std::string_view name, bool percent = false) const;

  /// One line on a number that was read with a decimal point though nothing proves it; empty: none was.
  std::string guess() const;
  [[noreturn]] void fail(int line, const std::string& what) const;

 private:
  std::string origin_;
  NumberFormat numbers_;
  std::vector<std::string>* odd_ = nullptr;
  mutable std::set<std::size_t> odd_columns_;
};

}  // namespace roofline
