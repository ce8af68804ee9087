#include "reporters/page/page.hpp"

#include <fmt/format.h>

#include <string_view>

#include "bench/result/reports.hpp"
#include "reporters/drawing/svg.hpp"
#include "reporters/plots/plots.hpp"

namespace roofline {

extern const std::string_view page_style, page_script;  // of the files in reporters/page

/// The frame of the page: the script fills it from the data. Nothing in it may be fetched from anywhere.
std::string html_page(const Results& results) {
  std::string page;
  page += "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page +=
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; img-src data: blob:\">\n";
  page += fmt::format("<title>{}</title>\n<style>\n", escape_xml(plot_title(results)));
  page += page_style;
  page += "</style>\n</head>\n<body>\n";
  page +=
      "<noscript><p>This page draws itself with JavaScript. Its tables are in efficiency.md, its plot in "
      "roofline.svg.</p></noscript>\n";
  page +=
      "<script type=\"application/json\" id=\"run\">" + page_data(results) + "</script>\n<script>\n'use strict';\n{\n";
  page += page_script;
  page += "}\n</script>\n</body>\n</html>\n";
  return page;
}

namespace {
const ReportFile page_file("report.html", html_page);
}

}  // namespace roofline
