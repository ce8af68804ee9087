#include "reporters/plots/roofline_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/drawing/plot_page.hpp"
#include "reporters/plots/panel_drawing.hpp"

namespace roofline {

PanelDrawing::PanelDrawing(Svg& svg, const Box& frame, const PanelContent& content, const Roofline& roofline)
    : svg_(svg),
      frame_(frame),
      content_(content),
      roofline_(roofline),
      axes_(panel_axes(frame, content, roofline)),
      roofs_(drawn_roofs(content, roofline)),
      placer_(Box{frame.x + 3, frame.y + 3, frame.width - 6, frame.height - 6}),
      size_(content.overview ? 12 : 10.5),
      outermost_(outermost_of(content)) {}

void PanelDrawing::draw() {
  draw_axes();
  draw_roofs();
  draw_walls();
  draw_lines();
  draw_kernels();
  draw_key();
  label_roofs();
  label_kernels();
  name_levels();
}

std::optional<MemoryLevel> PanelDrawing::outermost_of(const PanelContent& content) {
  std::optional<MemoryLevel> outermost;
  for (const auto& kernel : content.kernels)
    if (const auto level = outermost_level(kernel.member->point->counts)) outermost = std::max(outermost, level);
  return outermost;
}

std::vector<RoofLine> PanelDrawing::drawn_roofs(const PanelContent& content, const Roofline& roofline) {
  auto lines = roof_lines(roofline);
  const auto bounds = [&](const RoofLine& line) {
    return std::any_of(content.kernels.begin(), content.kernels.end(), [&](const PlottedKernel& kernel) {
      const auto& mix = kernel.member->point->assessment.mix;
      return mix && line.operation == Operation::div &&
             (mix->bound.kind == Resource::Kind::divider || mix->bound.kind == Resource::Kind::roots);
    });
  };
  if (!content.overview && !content.all_roofs)
    std::erase_if(lines, [&](const RoofLine& line) { return line.thin && !bounds(line); });
  lines = merged(std::move(lines));
  for (auto& line : content.behind ? roof_lines(*content.behind) : std::vector<RoofLine>()) {
    lines.push_back(line);
    lines.back().thin = true;
  }
  return lines;
}

Point PanelDrawing::spot(double intensity, double rate) const {
  return axes_.at(std::min(intensity, axes_.x.high / 1.06), rate);
}

void PanelDrawing::draw_axes() const {
  const double bottom = frame_.y + frame_.height, right = frame_.x + frame_.width;
  const auto grid = [&](const std::vector<double>& xs, const std::vector<double>& ys, const char* css) {
    for (const double x : xs) svg_.line({axes_.x.position(x), frame_.y}, {axes_.x.position(x), bottom}, css);
    for (const double y : ys) svg_.line({frame_.x, axes_.y.position(y)}, {right, axes_.y.position(y)}, css);
  };
  grid(axes_.x.minor_ticks(), axes_.y.minor_ticks(), "minor");
  grid(axes_.x.decades(), axes_.y.decades(), "grid");
  for (const double x : axes_.x.labelled_ticks())
    svg_.text({axes_.x.position(x), bottom + size_ + 4}, fmt::format("{:g}", x), size_, "tick", Anchor::middle);
  for (const double y : axes_.y.labelled_ticks())
    svg_.text({frame_.x - 6, axes_.y.position(y) + 0.35 * size_}, fmt::format("{:.8g}", giga(y)), size_, "tick",
              Anchor::end);
  svg_.text({frame_.center().x, bottom + 2 * size_ + 12}, content_.units.x, size_, "axis", Anchor::middle);
  svg_.text({frame_.x - panel_left + size_ + 2, frame_.center().y}, content_.units.y, size_, "axis", Anchor::middle,
            -90);
  svg_.text({frame_.x, frame_.y - 8}, content_.title, size_ + 1.5, "title");
  svg_.rectangle(frame_, "frame");
}

std::optional<std::pair<Point, Point>> PanelDrawing::visible(const RoofLine& roof) const {
  double from = std::max(roof.from, axes_.x.low), to = std::min(roof.to, axes_.x.high);
  if (roof.level) {
    from = std::max(from, axes_.y.low / roof.rate);
    to = std::min(to, axes_.y.high / roof.rate);
  } else if (!axes_.y.contains(roof.rate)) {
    return std::nullopt;
  }
  if (!(from < to)) return std::nullopt;
  return std::pair{axes_.at(from, roof.at(from)), axes_.at(to, roof.at(to))};
}

std::string PanelDrawing::colour(const RoofLine& roof, std::string_view prefix) {
  return roof.level ? level_class(prefix, *roof.level) : std::string(prefix) + "compute";
}

void PanelDrawing::draw_roofs() {
  for (const auto& roof : roofs_) {
    const auto ends = visible(roof);
    if (!ends) continue;
    svg_.line(ends->first, ends->second, (roof.thin ? "thin " : "roof ") + colour(roof, "s"));
    placer_.prefer_clear(ends->first, ends->second);
  }
}

void PanelDrawing::draw_walls() {
  double fastest = 0;
  for (const auto& roof : roofs_)
    if (roof.level) fastest = std::max(fastest, roof.rate);
  for (const auto& [intensity, name] : content_.units.walls) {
    const double top = std::min(fastest * intensity, axes_.y.high);
    if (!axes_.x.contains(intensity) || top <= axes_.y.low) continue;
    const auto foot = axes_.at(intensity, axes_.y.low), head = axes_.at(intensity, top);
    svg_.line(foot, head, "thin scompute");
    placer_.prefer_clear(foot, head);
    svg_.text({foot.x - 4, foot.y - 6}, name, size_, "tick", Anchor::start, -90);
  }
}

Shape level_shape(MemoryLevel level) {
  constexpr std::array shapes{Shape::circle, Shape::square, Shape::triangle, Shape::diamond, Shape::down, Shape::cross};
  return shapes[static_cast<std::size_t>(level)];
}

PanelAxes panel_axes(const Box& frame, const PanelContent& content, const Roofline& roofline) {
  LogRange x, y;
  double far = 0;  // beyond every ridge by so much an intensity says nothing by its place
  for (const auto level : memory_levels) far = std::max(far, 24 * roofline.ridge(level).value_or(0));
  for (const auto& kernel : content.kernels) {
    const KernelPoint& point = *kernel.member->point;
    for (const auto level : memory_levels)
      if (const auto intensity = point.counts.intensity(level); intensity && (far == 0 || *intensity <= far))
        x.include(*intensity);
    y.include(point.flop_rate());
    if (const auto roof = point.assessment.roof)
      if (roof->attainable) y.include(*roof->attainable);
  }
  const bool every_ridge = content.overview || content.kernels.empty() || content.behind;
  for (const auto* const roofs : {&roofline, content.behind}) {
    if (!every_ridge || !roofs) continue;
    for (const auto level : memory_levels)
      if (const auto ridge = roofs->ridge(level)) x.include(*ridge), x.include(16 * *ridge);
    for (const auto operation : {Operation::fma, Operation::nofma, Operation::add})
      if (const auto* const ceiling = roofs->compute(operation)) {
        y.include(ceiling->rate);
        if (content.kernels.empty()) y.include(ceiling->rate / 100);
      }
    for (const auto& line : roof_lines(*roofs))
      if (line.tensor) y.include(line.rate);
  }
  if (content.overview)
    for (const auto& [intensity, name] : content.units.walls) x.include(intensity);
  x = x.padded(1.7, 1.2);
  y = y.padded(1.7, 1.0);
  return {{x.low, x.high, frame.x, frame.x + frame.width}, {y.low, y.high, frame.y + frame.height, frame.y}};
}

void draw_panel(Svg& svg, const Box& frame, const PanelContent& content, const Roofline& roofline) {
  PanelDrawing(svg, frame, content, roofline).draw();
}

}  // namespace roofline
