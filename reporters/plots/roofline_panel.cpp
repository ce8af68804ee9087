#include "reporters/plots/roofline_panel.hpp"

#include <fmt/format.h>

#include <algorithm>

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
      theory_(theory_of_roofs(content, roofs_)),
      placer_(Box{frame.x + 3, frame.y + 3, frame.width - 6, frame.height - 6}),
      size_(content.overview ? 12 : 10.5),
      outermost_(outermost_of(content)) {}

void PanelDrawing::draw() {
  draw_axes();
  draw_roofs();
  draw_walls();
  draw_lines();
  draw_before();
  draw_kernels();
  draw_key();
  label_roofs();
  label_kernels();
  name_levels();
}

/// With the slopes up to the highest of them, and the levels from the fastest.
std::vector<RoofLine> PanelDrawing::theory_of_roofs(const PanelContent& content, const std::vector<RoofLine>& roofs) {
  std::vector<RoofLine> lines;
  if (!content.theory) return lines;
  double top = 0, fastest = 0;
  for (const auto& roof : roofs) {
    if (roof.theory && !roof.thin) lines.push_back(theory_of(roof));
    auto& most = roof.level ? fastest : top;
    most = std::max(most, roof.theory.value_or(roof.rate));
  }
  for (auto& line : lines) {
    if (line.level && top > 0) line.to = top / line.rate;
    if (!line.level && fastest > 0) line.from = line.rate / fastest;
  }
  return lines;
}

std::string PanelDrawing::level_name(MemoryLevel level) const {
  return level == MemoryLevel::DRAM ? content_.units.memory : std::string(name(level));
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
  for (auto& line : lines)
    if (line.level == MemoryLevel::DRAM && line.name.starts_with("DRAM")) line.name.replace(0, 4, content.units.memory);
  // Lines of one theory would be one line with the gap of one of them.
  if (!content.theory) lines = merged(std::move(lines));
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

void PanelDrawing::draw_line(const RoofLine& line, const std::string& css) {
  const auto ends = visible(line);
  if (!ends) return;
  svg_.line(ends->first, ends->second, css);
  placer_.prefer_clear(ends->first, ends->second);
}

void PanelDrawing::draw_roofs() {
  for (const auto& line : theory_) draw_line(line, "theory " + colour(line, "s"));
  for (const auto& roof : roofs_) draw_line(roof, (roof.thin ? "thin " : "roof ") + colour(roof, "s"));
  for (const auto& line : content_.mixes) draw_line(line, "mix");
}

void PanelDrawing::draw_walls() {
  double fastest = 0;
  for (const auto& roof : roofs_)
    if (roof.level) fastest = std::max(fastest, roof.rate);
  for (const auto& [intensity, name] : content_.units.walls) {
    const double top = fastest > 0 ? std::min(fastest * intensity, axes_.y.high) : axes_.y.high;
    if (!axes_.x.contains(intensity) || top <= axes_.y.low) continue;
    const auto foot = axes_.at(intensity, axes_.y.low), head = axes_.at(intensity, top);
    svg_.line(foot, head, "wall");
    placer_.prefer_clear(foot, head);
    const double length = text_width(name, size_);
    placer_.keep_clear({foot.x - 4 - size_, foot.y - 6 - length, size_ + 2, length});
    svg_.text({foot.x - 4, foot.y - 6}, name, size_, "tick", Anchor::start, -90);
  }
}

namespace {

/// Makes the slopes of roofs visible: a part of the lowest one, and without kernels two decades of it.
void include_slopes(const Roofline& roofline, bool alone, LogRange& x, LogRange& y) {
  double far = 0, top = 0;
  for (const auto level : memory_levels) far = std::max(far, roofline.ridge(level).value_or(0));
  if (const auto* const fma = roofline.compute(Operation::fma)) top = fma->rate;
  x.include(alone ? far / 100 : far / 8);
  if (alone) x.include(10 * far), y.include(top / 1000);
}

}  // namespace

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
  for (const auto* const point : content.before)
    if (point) {
      y.include(point->flop_rate());
      for (const auto level : memory_levels) x.include(point->counts.intensity(level).value_or(0));
    }
  for (const auto& mix : content.mixes) y.include(mix.rate);
  if (content.theory)
    for (const auto& line : roof_lines(roofline))
      if (!line.level) y.include(line.theory.value_or(0));
  const bool every_ridge = content.overview || content.kernels.empty() || content.behind;
  if (every_ridge) include_slopes(roofline, content.kernels.empty(), x, y);
  for (const auto* const roofs : {&roofline, content.behind}) {
    if (!every_ridge || !roofs) continue;
    for (const auto level : memory_levels)
      if (const auto ridge = roofs->ridge(level)) x.include(*ridge), x.include(16 * *ridge);
    for (const auto operation : {Operation::fma, Operation::nofma, Operation::add})
      if (const auto* const ceiling = roofs->compute(operation)) y.include(ceiling->rate);
    for (const auto& line : roof_lines(*roofs))
      if (line.tensor) y.include(line.rate);
  }
  if (content.overview)
    for (const auto& [intensity, name] : content.units.walls) x.include(intensity);
  x = content.x.empty() ? x.padded(1.7, 1.2) : content.x;
  y = content.y.empty() ? y.padded(1.7, 1.0) : content.y;
  return {{x.low, x.high, frame.x, frame.x + frame.width}, {y.low, y.high, frame.y + frame.height, frame.y}};
}

void draw_panel(Svg& svg, const Box& frame, const PanelContent& content, const Roofline& roofline) {
  PanelDrawing(svg, frame, content, roofline).draw();
}

}  // namespace roofline
