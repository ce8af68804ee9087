#include <fmt/format.h>

#include <sstream>

#include "reporters/drawing/svg.hpp"
#include "tools/labs/lab.hpp"

namespace roofline::labs {
namespace {

constexpr const char* style = R"(body{margin:0 auto;max-width:46rem;padding:0 1.2rem 3rem;font:16px/1.5 system-ui,
"Noto Sans","DejaVu Sans",sans-serif;color:#1b222c;background:#fff}h1{font-size:1.5rem}h2{font-size:1.15rem;
margin-top:1.8rem}code,pre{font:13px/1.45 ui-monospace,"DejaVu Sans Mono",monospace}pre{background:#f4f5f7;padding:.6rem;
white-space:pre-wrap;overflow-wrap:anywhere}table{border-collapse:collapse}td,th{border:1px solid #c8ced6;padding:.15rem
.6rem;text-align:left}@page{margin:2cm}@media print{body{font-size:11pt;padding:0}h2{break-after:avoid}pre,li{
break-inside:avoid}}
)";

/// `code` and **strong** within a line.
std::string inline_html(const std::string& line) {
  std::string html;
  bool code = false, strong = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '`') {
      html += code ? "</code>" : "<code>", code = !code;
    } else if (!code && line.compare(i, 2, "**") == 0) {
      html += strong ? "</strong>" : "<strong>", strong = !strong, ++i;
    } else {
      auto end = line.find_first_of("`*", i + 1);
      if (end == std::string::npos) end = line.size();
      html += escape_xml(line.substr(i, end - i)), i = end - 1;
    }
  }
  if (code) html += "</code>";
  return strong ? html + "</strong>" : html;
}

/// Blocks open one at a time; a line that does not continue a block closes it.
class Page {
 public:
  void add(const std::string& line) {
    if (line.rfind("```", 0) == 0) {
      const bool closes = open_ == "pre";
      close();
      if (!closes) open("pre");
    } else if (open_ == "pre") {
      html_ += escape_xml(line) + "\n";
    } else if (line.empty()) {
      close();
    } else if (line[0] == '#') {
      close();
      const auto level = line.find_first_not_of('#');
      html_ += fmt::format("<h{0}>{1}</h{0}>\n", level, inline_html(line.substr(level + 1)));
    } else if (line.rfind("- ", 0) == 0) {
      if (open_ != "ul") close(), open("ul");
      html_ += "<li>" + inline_html(line.substr(2)) + "</li>\n";
    } else if (line[0] == '|') {
      row(line);
    } else {
      if (open_ != "p") close(), open("p");
      html_ += inline_html(line) + "\n";
    }
  }
  std::string html() {
    close();
    return html_;
  }

 private:
  void open(const std::string& tag) { html_ += "<" + tag + ">", open_ = tag; }
  void close() {
    if (!open_.empty()) html_ += "</" + open_ + ">\n";
    open_.clear();
  }
  void row(const std::string& line) {
    if (line.find_first_not_of("|-: ") == std::string::npos) return;
    const bool head = open_ != "table";
    if (head) close(), open("table");
    std::istringstream cells(line.substr(1));
    html_ += "<tr>";
    for (std::string cell; std::getline(cells, cell, '|');)
      html_ += fmt::format("<{0}>{1}</{0}>", head ? "th" : "td", inline_html(cell));
    html_ += "</tr>\n";
  }

  std::string html_, open_;
};

}  // namespace

std::string html_of(const std::string& markdown, const std::string& title) {
  Page page;
  std::istringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) page.add(line);
  return html_frame(title, style, page.html());
}

}  // namespace roofline::labs
