#include "reporters/drawing/plot_page.hpp"

#include <sstream>

#include "bench/text/table.hpp"

namespace roofline::plot_page {

std::vector<std::string> fitted(const std::vector<std::string>& paragraphs) {
  constexpr std::size_t characters = 190;
  std::vector<std::string> lines;
  for (const auto& paragraph : paragraphs) {
    std::istringstream wrapped(wrap(paragraph, characters));
    for (std::string line; std::getline(wrapped, line);) lines.push_back(line);
  }
  return lines;
}

double height(double caption_top, const std::vector<std::string>& lines) {
  return caption_top + static_cast<double>(lines.size()) * caption_row + margin;
}

void draw(Svg& svg, const PlotWords& words, const std::vector<std::string>& lines, double caption_top) {
  svg.rectangle({0, 0, width, height(caption_top, lines)}, "paper");
  svg.text({margin, 32}, words.title, 20, "title");
  svg.text({margin, 52}, words.subtitle, 12, "note");
  for (std::size_t i = 0; i < lines.size(); ++i)
    svg.text({margin, caption_top + static_cast<double>(i + 1) * caption_row}, lines[i], 10.5, "note");
}

}  // namespace roofline::plot_page
