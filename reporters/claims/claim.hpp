#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline::claims {

/// One way to decide a claim.
struct Check {
  std::vector<std::string> on;  ///< runs that it looks at: cpu, gpu, model
  /// Every instance is checked: a name and what {name} stands for in the texts below, or a pattern of rows.
  std::vector<std::map<std::string, std::string>> instances;
  std::string every, but_not;  ///< {row} is each row that matches; a row that lacks figures is not an error
  std::map<std::string, std::string> names;
  std::vector<std::string> guards, tests;
  std::vector<std::string> shown;  ///< further expressions whose values belong next to the published ones
};

/// A statement of the talks.
struct Claim {
  std::string id, statement, published;
  std::vector<std::string> documents;  ///< "000" .. "004"
  std::string section;                 ///< "GPP experiments"
  bool core = false;
  std::string undecided;  ///< why no check has a test
  std::string differs;    ///< what is behind it where a machine does not show it
  std::vector<Check> checks;
};

/// The claims of a section's file. Throws FileError.
std::vector<Claim> read_claims(const std::string& text, const std::string& file);

/// All of the program, in the order of the specification.
const std::vector<Claim>& all_claims();

/// The published figures' statements about one another, without any run: for PublishedFacts. Ids that are also in
/// all_claims() have the statement from there.
const std::vector<Claim>& published_claims();

/// Names and patterns of the rows that a claim looks at.
std::vector<std::string> rows_of(const Claim& claim);

/// `text` with what {name} stands for.
std::string filled(std::string text, const std::map<std::string, std::string>& instance);

/// The title of a source document: "000" is "NERSC talk".
std::string document_title(const std::string& number);

/// The files of this folder that are part of the program: sections of claims by name, and published.json.
const std::vector<std::pair<std::string_view, std::string_view>>& claim_files();
std::string_view published_file();
std::string_view published_checks_file();
std::string_view case_studies_file();

}  // namespace roofline::claims
