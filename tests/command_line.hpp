#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>

#include "bench/text/parse_json.hpp"

namespace roofline::testing {

struct Outcome {
  int code = -1;
  std::string out, err;
};

/// A folder of its own that disappears with the object.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "roofline-test-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// Programs and rooms keep their files in a folder that does not exist yet, for as long as the object lives.
class CacheFolder {
 public:
  CacheFolder() { ::setenv("XDG_CACHE_HOME", path_.c_str(), 1); }
  ~CacheFolder() { before_ ? ::setenv("XDG_CACHE_HOME", before_->c_str(), 1) : ::unsetenv("XDG_CACHE_HOME"); }
  const std::filesystem::path& path() const { return path_; }

 private:
  const Scratch scratch_;
  const std::filesystem::path path_ = scratch_.path() / "cache";
  const std::optional<std::string> before_ = [] {
    const char* const value = std::getenv("XDG_CACHE_HOME");
    return value ? std::optional<std::string>(value) : std::nullopt;
  }();
};

inline std::string contents(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline nlohmann::ordered_json json_of(const std::string& path) { return parse_json(contents(path), path); }

/// Runs a shell command line in `folder`; standard output and error are kept apart.
inline Outcome shell(const std::string& command, const Scratch& folder) {
  const auto out = folder / ".out", err = folder / ".err";
  const auto line =
      "cd '" + folder.path().string() + "' && ( " + command + " ) >'" + out + "' 2>'" + err + "' </dev/null";
  const int status = std::system(line.c_str());
  Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), contents(out), contents(err)};
  std::filesystem::remove(out);
  std::filesystem::remove(err);
  return outcome;
}

/// Runs roofline_bench.
inline Outcome bench(const std::string& arguments, const Scratch& folder) {
  return shell("'" ROOFLINE_BENCH "' " + arguments, folder);
}

/// Runs roofline.
inline Outcome roofline(const std::string& arguments, const Scratch& folder) {
  return shell("'" ROOFLINE_CLI "' " + arguments, folder);
}

/// One line with this on standard error, nothing on standard output.
inline void expect_one_line(const Outcome& outcome, int code, const std::string& part) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

}  // namespace roofline::testing
