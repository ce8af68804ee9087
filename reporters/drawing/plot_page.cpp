#include "reporters/drawing/plot_page.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "bench/text/table.hpp"

namespace roofline {

Svg plot_page::begin(const PlotWords& words, double caption_top, bool families) {
  constexpr std::size_t characters = 190;
  std::vector<std::string> lines;
  for (const auto& paragraph : words.caption) {
    std::istringstream wrapped(wrap(paragraph, characters));
    for (std::string line; std::getline(wrapped, line);) lines.push_back(line);
  }
  const double height = caption_top + static_cast<double>(lines.size()) * caption_row + margin;
  Svg svg(width, height, std::string(plot_style) + std::string(families ? family_style : ""));
  svg.rectangle({0, 0, width, height}, "paper");
  svg.text({margin, 32}, words.title, 20, "title");
  svg.text({margin, 52}, words.subtitle, 12, "note");
  for (std::size_t i = 0; i < lines.size(); ++i)
    svg.text({margin, caption_top + static_cast<double>(i + 1) * caption_row}, lines[i], 10.5, "note");
  return svg;
}

bool write_near(Svg& svg, LabelPlacer& placer, Point marker, double gap, const std::string& text, double size,
                const std::string& css, double farthest) {
  const double line = 1.15 * size;  // labels one above the other do not touch
  const auto box = placer.place(marker, gap, text_width(text, size), line);
  if (!box) return false;
  const auto near = box->nearest(marker);
  const double distance = std::hypot(near.x - marker.x, near.y - marker.y);
  if (distance > farthest) return false;
  if (distance > gap + 4) svg.line(marker, near, "leader");
  const Point base{box->center().x, box->center().y + 0.35 * size};
  if (placer.crosses_line()) svg.mask(base, text, size, Anchor::middle);
  svg.text(base, text, size, css, Anchor::middle);
  return true;
}

void draw_arrow(Svg& svg, Point from, Point to, std::string_view css) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  if (!(length > 1)) return;
  svg.line(from, to, css);
  const double size = std::min(8.0, length), ux = dx / length, uy = dy / length;
  for (const double side : {-0.45, 0.45})
    svg.line(to, {to.x - size * (ux - side * uy), to.y - size * (uy + side * ux)}, css);
}

void write_along(Svg& svg, LabelPlacer& placer, Point from, Point to, const std::string& text, double size,
                 const std::string& css) {
  const double length = text_width(text, size), dx = to.x - from.x, dy = to.y - from.y, total = std::hypot(dx, dy);
  const double degrees = std::atan2(dy, dx) * 180 / std::numbers::pi;
  std::vector<std::vector<Box>> candidates;
  std::vector<Point> starts;
  for (const double side : {-1.0, 1.0})  // above the line, then below
    for (double along = 8; along + length < total - 4; along += 8) {
      const double distance = side < 0 ? 4 : size + 2;  // of the base line
      const Point base{from.x + dx / total * along - side * dy / total * distance,
                       from.y + dy / total * along + side * dx / total * distance};
      const double up = 0.36 * size;
      candidates.push_back(
          rotated_boxes({base.x + dy / total * up, base.y - dx / total * up}, length, size * 0.95, degrees));
      starts.push_back(base);
    }
  const auto chosen = placer.place_first(candidates);
  if (!chosen) return;
  if (placer.crosses_line()) svg.mask(starts[*chosen], text, size, Anchor::start, degrees);
  svg.text(starts[*chosen], text, size, css, Anchor::start, degrees);
}

std::string level_class(std::string_view prefix, MemoryLevel level) {
  return std::string(prefix) + std::string(name(level));
}

std::string family_class(std::string_view prefix, std::size_t family) {
  constexpr std::size_t colours = 6;
  return std::string(prefix) + "family" + std::to_string(family % colours);
}

const std::string_view family_style = R"(.ffamily0{fill:#7b4fb0}.ffamily1{fill:#0fa3b5}.ffamily2{fill:#d6539f}
.ffamily3{fill:#7a4a3a}.ffamily4{fill:#8a8b12}.ffamily5{fill:#333}
.ffamily0,.ffamily1,.ffamily2,.ffamily3,.ffamily4,.ffamily5{fill-opacity:.8;stroke:#fff;stroke-width:.7}
.hfamily0{stroke:#7b4fb0}.hfamily1{stroke:#0fa3b5}.hfamily2{stroke:#d6539f}
.hfamily3{stroke:#7a4a3a}.hfamily4{stroke:#8a8b12}.hfamily5{stroke:#333}
.hfamily0,.hfamily1,.hfamily2,.hfamily3,.hfamily4,.hfamily5{fill:#fff;stroke-width:1.5}
.tfamily0{fill:#5f3695}.tfamily1{fill:#0a7482}.tfamily2{fill:#ad2f79}
.tfamily3{fill:#5f3527}.tfamily4{fill:#636400}.tfamily5{fill:#222}
.chosen{fill-opacity:1;stroke:#000;stroke-width:1.3}
)";

const std::string_view plot_style = R"(text{font-family:"DejaVu Sans",Verdana,Helvetica,Arial,sans-serif;fill:#222}
.paper{fill:#fff}.frame{fill:none;stroke:#555;stroke-width:1}
.grid{stroke:#d5d5d5;stroke-width:.9}.minor{stroke:#eeeeee;stroke-width:.7}
.tick{fill:#444}.axis{fill:#222}.title,.heading{font-weight:bold}.small{fill:#333}.note{fill:#555}
.roof{stroke-width:2.2;stroke-linecap:round}.theory{stroke-width:1.6;stroke-dasharray:.1 4;stroke-linecap:round}
.mix{stroke:#7b4fb0;stroke-width:1.6;stroke-dasharray:9 4}.wall{stroke:#777;stroke-width:1.1;stroke-dasharray:2 3}
.account{stroke:#555;stroke-width:1.3;fill:none}.thin{stroke-width:1.1;stroke-dasharray:5 3}
.join{fill:none;stroke-width:1.3;stroke-opacity:.75}.levels{stroke:#aaa;stroke-width:.8}
.bar{stroke-width:1.4}.leader{stroke:#888;stroke-width:.7}.rule{stroke:#bbb;stroke-width:.8}
.mask{fill:#fff}
.key{fill:#fff;stroke:#ccc;stroke-width:.7}.faint{fill-opacity:.6;stroke:none}
.halo{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}.label{fill:#222}
.sL1{stroke:#1f77b4}.sL2{stroke:#2ca02c}.sL3{stroke:#ff7f0e}.sDRAM{stroke:#d62728}.scompute{stroke:#333}
.tL1{fill:#1a6396}.tL2{fill:#217a21}.tL3{fill:#b85800}.tDRAM{fill:#b01f20}.tcompute{fill:#222}
.fL1{fill:#1f77b4}.fL2{fill:#2ca02c}.fL3{fill:#ff7f0e}.fDRAM{fill:#d62728}.fnone{fill:#555}
.fL1,.fL2,.fL3,.fDRAM{stroke:#fff;stroke-width:.7}
.hL1{stroke:#1f77b4}.hL2{stroke:#2ca02c}.hL3{stroke:#ff7f0e}.hDRAM{stroke:#d62728}.hnone{stroke:#555}
.hL1,.hL2,.hL3,.hDRAM,.hnone{fill:#fff;stroke-width:1.5}
)";

}  // namespace roofline
