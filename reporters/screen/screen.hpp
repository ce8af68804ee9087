#pragma once
#include <string>
#include <vector>

#include "bench/result/reports.hpp"
#include "bench/result/results.hpp"
#include "reporters/plots/plots.hpp"

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

/// Lines and columns that a screen keeps to.
inline constexpr std::size_t screen_lines = 45, screen_width = 100;

/// A run at a glance: the machine and its caches, the roofs, one row a kernel, the roofline as a picture, how well the
/// shares are known, which row to read first, and where the rest is. No line is longer than `width`, 80 columns or
/// more.
std::string screen_text(const Results& results, const Screen& screen, std::size_t width = screen_width);

/// The subject of the run: program, machine, its caches.
std::vector<std::string> head_lines(const Results& results);

/// The roofs in four lines: arithmetic, bandwidths, ridges. Empty without ceilings.
std::vector<std::string> roof_text(const Results& results, std::size_t width);

/// The rows that a screen has room for, in their order: all, or the fastest variant of each kernel, and where these are
/// too many the first ones of each family.
std::vector<const KernelPoint*> chosen_rows(const Results& results, std::size_t room);

/// The table of these rows, with the share of the roof as a bar: lines of at most `width` columns.
std::vector<std::string> rows_text(const Results& results, const std::vector<const KernelPoint*>& rows,
                                   Characters characters, const Paint& paint, std::size_t width);

/// The roofline of these rows: lines of at most `width` columns, none where they leave it no room.
std::vector<std::string> plot_of_rows(const Results& results, const std::vector<const KernelPoint*>& rows,
                                      Characters characters, std::size_t width, std::size_t height);

}  // namespace roofline
