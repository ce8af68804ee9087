#include "reporters/screen/screen.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "bench/model/assessment.hpp"
#include "bench/result/sanity.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/format.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/view/explain.hpp"
#include "reporters/view/point_names.hpp"
#include "reporters/view/roof_lines.hpp"

namespace roofline {
namespace {

/// Blocks of one guest's memory were up to 8 % apart in bandwidth, of another one's up to a third (results/precision).
constexpr double at_roof_limit_of_memory = 1.12;
constexpr std::size_t plot_lines = 12, most_rows = 18, most_warnings = 4;

using Lines = std::vector<std::string>;

/// How to ask for more of this run.
std::string command(const std::string& what, const Screen& screen) {
  const auto file = screen.files.empty() ? std::string("run.json") : screen.files.front();
  const bool is_usual = screen.folder.empty() || (screen.folder == "roofline-out" && file == "run.json");
  return "roofline " + what + (is_usual ? "" : " " + (std::filesystem::path(screen.folder) / file).string());
}

/// The first row whose share contradicts the model, and what it is a share of; empty without one.
std::string contradiction(const Results& results) {
  const auto& names = results.precision.contradictions;
  for (const auto& point : results.points) {
    if (names.empty() || point.name != names.front()) continue;
    const double share = highest_share(point.assessment);
    const auto& roof = point.assessment.roof;
    const bool of_roof = roof && (roof->range ? roof->range->low : roof->efficiency) >= share;
    const auto& judged = of_roof ? roof : point.assessment.mix;
    // Pages of a virtual machine differ in bandwidth for as long as it runs, and so may the pages of a ceiling and of a
    // kernel.
    const bool of_memory = judged && judged->level == MemoryLevel::DRAM && share < at_roof_limit_of_memory;
    return fmt::format("! {}{}: {:.0f} % of {} or more: {}.", point.name,
                       names.size() == 1 ? "" : fmt::format(" and {} more", names.size() - 1), 100 * share,
                       of_roof ? "the roof" : "its mix's ceiling",
                       of_memory ? "faster memory, or a wrong count" : "a count or the model is wrong");
  }
  return {};
}

/// Problems that the reader of a run should act on, one line each.
Lines warnings_of(const Results& results, const Screen& screen) {
  Lines lines;
  if (results.interrupted) lines.emplace_back("Interrupted: this run is incomplete.");
  if (const auto& failures = results.failures; failures.size() == 1)
    lines.push_back(fmt::format("No result for {}: {}", failures[0].first, failures[0].second));
  else if (!failures.empty())
    lines.push_back(fmt::format("No result for {} rows, the first of them {}: {}", failures.size(), failures[0].first,
                                failures[0].second));
  if (const auto line = contradiction(results); !line.empty()) lines.push_back(line);
  for (const auto& check : results.checks)
    if (check.verdict == SanityCheck::Verdict::fail && results.precision.contradictions.empty() &&
        results.failures.empty())
      lines.push_back(fmt::format("Check failed: {}: {} instead of {}{}{}", check.what, value_text(check), check.limit,
                                  check.where.empty() ? "" : ", ", check.where));
  if (!results.times_note.empty()) lines.push_back(results.times_note);
  if (const auto line = moved_roofs_text(results); !line.empty()) lines.push_back(line);
  constexpr double much = 0.1;
  if (results.noise && results.noise->steal > much)
    lines.push_back(fmt::format("The hypervisor took {:.0f} % of the CPU time. Another hour may have less noise.",
                                100 * results.noise->steal));
  if (results.noise && results.noise->throttled > much)
    lines.push_back(fmt::format("A CPU quota stopped the run in {:.0f} % of its periods{}.",
                                100 * results.noise->throttled,
                                results.machine.usable_cores > 1 ? ": use fewer threads" : ""));
  lines.insert(lines.end(), results.warnings.begin(), results.warnings.end());
  if (lines.size() > most_warnings) {
    const auto more = lines.size() - most_warnings + 1;
    lines.resize(most_warnings - 1);
    lines.push_back(fmt::format("{} more warnings: {}", more, command("show --all", screen)));
  }
  return lines;
}

/// Cut to the width of the screen; colour only where nothing is cut.
std::string fitted(const std::string& text, std::size_t width) { return shortened(printable(text), width); }

std::string precision_line(const Results& results, const Paint& paint, std::size_t width) {
  const auto seconds =
      results.timer.run_seconds > 0 ? fmt::format("  {:.0f} s", results.timer.run_seconds) : std::string();
  auto text = precision_text(results, width - seconds.size());
  if (results.model)
    text = "Bounds, not measurements: no launch can take less time on this device.";
  else if (text.empty() && results.roofline.empty())
    text = "No shares: this run has no roofs.";
  else if (text.empty() && !results.points.empty())
    text = fmt::format("No interval: fewer than {} rounds.", rounds_of_95_percent);
  return paint.bold(fitted(text + seconds, width));
}

/// The row to read first, and how.
std::string row_to_read(const std::vector<const KernelPoint*>& rows, const Screen& screen, std::size_t width) {
  if (rows.empty()) return {};
  // Sorted by the share that its row shows, because readers compare the two.
  const auto share = [](const KernelPoint& row) { return row.assessment.roof->efficiency; };
  const KernelPoint* weakest = nullptr;
  for (const auto* const row : rows)
    if (row->assessment.roof && !contradicts(*row) && (!weakest || share(*row) < share(*weakest))) weakest = row;
  const auto& named = (weakest ? *weakest : *rows.front()).name;
  const auto text =
      weakest ? fmt::format("Weakest: {:.0f} % of its {} roof. Why: ", 100 * weakest->assessment.roof->efficiency,
                            name(weakest->assessment.roof->bound))
              : std::string("Explain a row: ");
  const auto whole = text + command("explain " + printable(named), screen);
  if (whole.size() <= width) return whole;
  const auto of_kernel = command("explain " + printable(kernel_of(named)), screen);
  return text.size() + of_kernel.size() <= width ? text + of_kernel : shortened(of_kernel, width);
}

/// "In roofline-out/: report.html (all 50 rows, plots), run.json, roofline.svg and 4 more".
std::string rest(const Results& results, const Screen& screen, std::size_t width) {
  if (screen.folder.empty() || screen.files.empty()) return {};
  Lines named;
  // A request by name comes first: the page of a case study, or the page that lists them all.
  const auto is_study = [](const std::string& file) { return file.starts_with("case-stud"); };
  if (const auto page = std::find_if(screen.files.rbegin(), screen.files.rend(), is_study); page != screen.files.rend())
    named.push_back(*page);
  for (const auto* const file : {"report.html", "run.json", "roofline.svg"})
    if (std::find(screen.files.begin(), screen.files.end(), file) != screen.files.end()) {
      const auto rows = std::string_view(file) == "report.html"
                            ? fmt::format(" (all {} rows, plots)", results.points.size())
                            : std::string();
      named.push_back(file + rows);
    }
  if (named.empty()) named.push_back(screen.files.front());  // of an interrupted run: all are partial
  const auto more = screen.files.size() - named.size();
  auto text = fmt::format("In {}/: {}", screen.folder, fmt::join(named, ", "));
  if (more > 0) text += fmt::format(" and {} more", more);
  if (text.size() > width)
    text = fmt::format("In {}/: {} files, first of all {}", screen.folder, screen.files.size(), named.front());
  return fitted(text, width);
}

/// As much of a message as ends before the line does: its last clause that fits, or words with "...".
std::string ended(const std::string& message, std::size_t width) {
  const auto text = printable(message);
  if (text.size() <= width) return text;
  for (const auto* const end : {". ", "; ", ": ", ", "})
    if (const auto at = text.rfind(end, width - 2); at != text.npos && 2 * at > width) return text.substr(0, at) + ".";
  const auto space = text.rfind(' ', width - 4);
  return space == text.npos ? fitted(text, width) : text.substr(0, space) + " ...";
}

void add(Lines& lines, const Lines& block) {
  if (block.empty()) return;
  if (!lines.empty()) lines.emplace_back();
  lines.insert(lines.end(), block.begin(), block.end());
}

}  // namespace

std::vector<std::string> plot_of_rows(const Results& results, const std::vector<const KernelPoint*>& rows,
                                      Characters characters, std::size_t width, std::size_t height) {
  std::vector<LabelledPoint> labelled;
  for (const auto* const row : rows)
    labelled.emplace_back(rows.size() < results.points.size() ? kernel_of(printable(row->name)) : printable(row->name),
                          row);
  return text_plot(results, labelled, characters, width, height);
}

std::string screen_text(const Results& results, const Screen& screen, std::size_t width) {
  const Paint paint{screen.colour};
  const auto characters = screen.utf8 ? Characters::utf8 : Characters::ascii;
  Lines head;
  for (const auto& line : head_lines(results)) head.push_back(fitted(line, width));
  if (!head.empty()) head.front() = paint.bold(head.front());
  Lines roofs;
  for (const auto& line : roof_text(results, width)) roofs.push_back(fitted(line, width));
  if (!roofs.empty()) roofs.front() = paint.bold(roofs.front());
  Lines warnings;
  for (const auto& line : warnings_of(results, screen)) warnings.push_back(paint.fair(ended(line, width)));

  // The rows take what the rest leaves: three lines of the end, a line between blocks, headings of table and rows, and
  // one warning. More warnings take lines of the plot, never a row.
  const auto taken = head.size() + roofs.size() + 1 + plot_lines + 3 + 5 + 2;
  const auto plot_height = plot_lines - (warnings.empty() ? 0 : warnings.size() - 1);
  const auto rows = chosen_rows(results, std::min(most_rows, screen_lines - std::min(taken, screen_lines - 1)));
  auto table = rows_text(results, rows, characters, paint, width);
  if (rows.size() < results.points.size())
    table.push_back(paint.faint(fitted(fmt::format("({} of {} rows, one variant of a kernel; all: {})", rows.size(),
                                                   results.points.size(), command("show --all", screen)),
                                       width)));
  for (auto* const block : {&roofs, &table, &warnings})
    for (auto& line : *block) line = with_memory_name(line, results);
  Lines lines = head;
  add(lines, roofs), add(lines, table);
  add(lines, plot_of_rows(results, rows, characters, width, plot_height));
  add(lines, warnings);
  Lines end;
  for (const auto& line :
       {precision_line(results, paint, width), row_to_read(rows, screen, width), rest(results, screen, width)})
    if (!line.empty()) end.push_back(line);
  add(lines, end);
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

}  // namespace roofline
