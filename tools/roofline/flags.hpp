#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

// Every subcommand would take four times as long to compile with the library behind this.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace roofline::cli {

/// One flag or argument; each call narrows what it takes or changes how --help shows it.
class Flag {
 public:
  explicit Flag(CLI::Option& option) : option_(&option) {}

  Flag& required();
  /// What --help calls the value: "FILE".
  Flag& type_name(const std::string& name);
  Flag& shows_default();
  /// One value at a time: what follows is the next argument.
  Flag& one_value();
  Flag& one_of(const std::vector<std::string>& values);
  /// A number in this range, which "nan" is not.
  Flag& between(double low, double high);

 private:
  CLI::Option* option_;
};

/// The command line of one subcommand: flags are bound to variables, which must live until it has run. A name without
/// dashes is a positional argument; "-o,--out" has two.
class Flags {
 public:
  explicit Flags(CLI::App& app) : app_(&app) {}

  /// Present or not.
  Flag add(const std::string& names, bool& value, const std::string& about);
  Flag add(const std::string& names, int& value, const std::string& about);
  Flag add(const std::string& names, std::size_t& value, const std::string& about);
  Flag add(const std::string& names, double& value, const std::string& about);
  Flag add(const std::string& names, std::string& value, const std::string& about);
  Flag add(const std::string& names, std::vector<std::string>& values, const std::string& about);
  /// A duration: 600, 90s, 10min, 1h.
  Flag add_seconds(const std::string& names, double& value, const std::string& about);
  /// The first is refused together with any of the others, and they with it.
  void exclude(const std::string& flag, const std::vector<std::string>& others);
  /// The first is refused without the second.
  void need(const std::string& flag, const std::string& needed);
  /// All other flags are refused without this one.
  void all_need(const std::string& flag);
  /// What --help ends with: an example.
  void footer(const std::string& text);

  /// A subcommand of this one; one of them must be given.
  Flags part(const char* name, const char* about);
  /// Whether the command line had this one, once it is parsed.
  bool is_chosen() const;

 private:
  CLI::App* app_;
};

/// What a subcommand does once its command line is parsed: returns an exit code (bench/options/options.hpp). Thrown
/// errors become one line and a code: FileError 4, std::invalid_argument 2, Inconclusive 3.
using Action = std::function<int()>;

}  // namespace roofline::cli
