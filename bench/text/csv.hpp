#pragma once
#include <string>
#include <vector>

namespace roofline {

/// One record of a CSV file and the line it starts on, from 1.
struct CsvRecord {
  std::vector<std::string> fields;
  int line = 0;
};

/// Comma-separated values: fields may be quoted, quotes inside are doubled, quoted fields may hold commas and line
/// breaks. A quote that is never closed ends at the end of the text, as in a file that was cut short: then `complete`
/// is false. `ended`: the last line has its end, or its last field a closing quote.
struct Csv {
  std::vector<CsvRecord> records;
  bool complete = true, ended = true;
};
Csv parse_csv(const std::string& text, char separator = ',');

/// One field for a CSV file: control characters replaced, quoted where it must be. A spreadsheet runs what begins like
/// a formula, so that all but numbers gets an apostrophe there.
std::string csv_field(const std::string& text);

}  // namespace roofline
