#include "reporters/roofline_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/plot_style.hpp"

namespace roofline {
namespace {

/// One drawing: what the steps share.
class PanelDrawing {
 public:
  PanelDrawing(Svg& svg, const Box& frame, const PanelContent& content, const Roofline& roofline)
      : svg_(svg),
        frame_(frame),
        content_(content),
        roofline_(roofline),
        axes_(panel_axes(frame, content, roofline)),
        placer_(Box{frame.x + 3, frame.y + 3, frame.width - 6, frame.height - 6}),
        size_(content.overview ? 12 : 10.5) {}

  void draw() {
    draw_axes();
    draw_roofs();
    draw_lines();
    draw_kernels();
    draw_key();
    label_roofs();
    label_kernels();
  }

 private:
  void draw_axes() const {
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
      svg_.text({frame_.x - 6, axes_.y.position(y) + 0.35 * size_}, fmt::format("{:g}", giga(y)), size_, "tick",
                Anchor::end);
    svg_.text({frame_.center().x, bottom + 2 * size_ + 12}, "Arithmetic intensity [FLOP/B]", size_, "axis",
              Anchor::middle);
    svg_.text({frame_.x - panel_left + size_ + 2, frame_.center().y}, "Performance [GFLOP/s]", size_, "axis",
              Anchor::middle, -90);
    svg_.text({frame_.x, frame_.y - 8}, content_.title, size_ + 1.5, "title");
    svg_.rectangle(frame_, "frame");
  }

  /// The part of a roof inside the frame, as its two ends; nothing when it lies outside.
  std::optional<std::pair<Point, Point>> visible(const RoofLine& roof) const {
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

  static std::string colour(const RoofLine& roof, std::string_view prefix) {
    return roof.level ? level_class(prefix, *roof.level) : std::string(prefix) + "compute";
  }

  void draw_roofs() {
    for (const auto& roof : roof_lines(roofline_)) {
      const auto ends = visible(roof);
      if (!ends) continue;
      svg_.line(ends->first, ends->second, (roof.thin ? "thin " : "roof ") + colour(roof, "s"));
      placer_.prefer_clear(ends->first, ends->second);
    }
  }

  void draw_lines() {
    for (const auto& line : content_.lines)
      for (const auto level : memory_levels) {
        std::vector<Point> points;
        for (const auto index : line) {
          const KernelPoint& point = *content_.kernels[index].member->point;
          if (const auto intensity = point.counts.intensity(level))
            points.push_back(axes_.at(*intensity, point.flop_rate()));
        }
        if (points.size() < 2) continue;
        svg_.polyline(points, "join " + level_class("s", level));
        for (std::size_t i = 1; i < points.size(); ++i) placer_.prefer_clear(points[i - 1], points[i]);
      }
  }

  void draw_kernels() {
    for (const auto& kernel : content_.kernels) {
      if (kernel.family) {
        draw_in_family_colour(kernel);
        continue;
      }
      const KernelPoint& point = *kernel.member->point;
      const double flops = static_cast<double>(point.counts.operations.flops());
      const auto main_level = outermost_level(point.counts);
      std::vector<Point> levels;
      for (const auto level : memory_levels)
        if (const auto intensity = point.counts.intensity(level))
          levels.push_back(axes_.at(*intensity, point.flop_rate()));
      if (!content_.overview && content_.lines.empty() && levels.size() > 1) {
        svg_.line(levels.front(), levels.back(), "levels");
        placer_.prefer_clear(levels.front(), levels.back());
      }
      for (const auto level : memory_levels) {
        const auto intensity = point.counts.intensity(level);
        if (!intensity) continue;
        const auto at = axes_.at(*intensity, point.flop_rate());
        const bool main = level == main_level;
        const double radius = content_.overview ? (main ? 4.2 : 2.4) : (main ? 4.2 : 3.2);
        const auto inside = [&](double y) { return std::clamp(y, frame_.y, frame_.y + frame_.height); };
        const double top = inside(axes_.y.position(flops / point.time.low)),
                     bottom = inside(axes_.y.position(flops / point.time.high));
        if (main && point.time.low > 0 && bottom - top > 2 * radius) {
          svg_.line({at.x, top}, {at.x, bottom}, "bar " + level_class("s", level));
          placer_.prefer_clear({at.x, top}, {at.x, bottom});
        }
        // A modelled interval of bytes is one of intensities.
        if (const auto& range = point.counts.range[static_cast<std::size_t>(level)]; range && range->low > 0) {
          const auto across = [&](double bytes) {
            return std::clamp(axes_.x.position(flops / bytes), frame_.x, frame_.x + frame_.width);
          };
          const double left = across(range->high), right = across(range->low);
          if (right - left > 2 * radius && (main || !content_.overview)) {
            svg_.line({left, at.y}, {right, at.y}, "bar " + level_class("s", level));
            placer_.prefer_clear({left, at.y}, {right, at.y});
          }
        }
        std::string css = kernel.look.hollow ? level_class("h", level) : level_class("f", level);
        if (content_.overview && !main) css += " faint";
        svg_.marker(kernel.look.shape, at, radius, css, tooltip(point, level));
        const Box box{at.x - radius - 1, at.y - radius - 1, 2 * radius + 2, 2 * radius + 2};
        main || !content_.overview ? placer_.keep_clear(box) : placer_.prefer_clear(box);
      }
    }
  }

  void draw_in_family_colour(const PlottedKernel& kernel) {
    const KernelPoint& point = *kernel.member->point;
    const auto level = outermost_level(point.counts);
    if (!level) return;
    const auto at = axes_.at(*point.counts.intensity(*level), point.flop_rate());
    const bool chosen = !kernel.label.empty();
    const double radius = chosen ? 5 : 3.8;
    const auto css = family_class(kernel.look.hollow ? "h" : "f", *kernel.family) + (chosen ? " chosen" : "");
    svg_.marker(kernel.look.shape, at, radius, css, tooltip(point, *level));
    placer_.keep_clear({at.x - radius - 1, at.y - radius - 1, 2 * radius + 2, 2 * radius + 2});
  }

  std::string tooltip(const KernelPoint& point, MemoryLevel level) const {
    const auto& assessment = point.assessment;
    auto text = fmt::format("{}: {} GFLOP/s, {} FLOP/B at {}", point.name, significant(giga(point.flop_rate())),
                            significant(point.counts.intensity(level)), name(level));
    if (assessment.roof)
      text += fmt::format(", {} % of its roof ({})", percent(assessment.roof->efficiency), assessment.roof->bound);
    return text;
  }

  /// The looks inside the plot, in the first free corner.
  void draw_key() {
    if (content_.key.empty()) return;
    const double row = size_ + 5, height = row * static_cast<double>(content_.key.size()) + 4;
    double width = 0;
    for (const auto& entry : content_.key) width = std::max(width, text_width(entry.text, size_) + 24);
    const double left = frame_.x + 6, right = frame_.x + frame_.width - 6 - width, top = frame_.y + 6,
                 bottom = frame_.y + frame_.height - 6 - height;
    const std::vector<Box> corners{{right, bottom, width, height},
                                   {left, top, width, height},
                                   {left, bottom, width, height},
                                   {right, top, width, height}};
    const auto corner = placer_.place_first({{corners[0]}, {corners[1]}, {corners[2]}, {corners[3]}});
    if (!corner) return;
    const Box& box = corners[*corner];
    svg_.rectangle(box, "key");
    double y = box.y + row - 2;
    for (const auto& entry : content_.key) {
      svg_.marker(entry.look.shape, {box.x + 10, y - 0.36 * size_}, 4, entry.css);
      svg_.text({box.x + 20, y}, entry.text, size_, "small");
      y += row;
    }
  }

  void label_roofs() {
    for (const auto& roof : roof_lines(roofline_))
      if (const auto ends = visible(roof)) roof.level ? label_slope(roof, *ends) : label_level(roof, *ends);
  }

  /// Along the line, above it, as near to its lower end as there is room.
  void label_slope(const RoofLine& roof, const std::pair<Point, Point>& ends) {
    const auto label = content_.overview ? roof.label() : roof.short_label();
    const double size = roof.thin ? size_ - 1.5 : size_, length = text_width(label, size);
    const double dx = ends.second.x - ends.first.x, dy = ends.second.y - ends.first.y, total = std::hypot(dx, dy);
    const double degrees = std::atan2(dy, dx) * 180 / std::numbers::pi;
    std::vector<std::vector<Box>> candidates;
    std::vector<Point> starts;
    for (const double side : {-1.0, 1.0})  // above the line, then below
      for (double along = 8; along + length < total - 4; along += 8) {
        const double distance = side < 0 ? 4 : size + 2;  // of the base line
        const Point base{ends.first.x + dx / total * along - side * dy / total * distance,
                         ends.first.y + dy / total * along + side * dx / total * distance};
        const double up = 0.36 * size;
        candidates.push_back(
            rotated_boxes({base.x + dy / total * up, base.y - dx / total * up}, length, size * 0.95, degrees));
        starts.push_back(base);
      }
    if (const auto chosen = placer_.place_first(candidates))
      svg_.text(starts[*chosen], label, size, "halo " + colour(roof, "t"), Anchor::start, degrees);
  }

  /// At the right end, above the line if there is room, else below or further left.
  void label_level(const RoofLine& roof, const std::pair<Point, Point>& ends) {
    const auto label = content_.overview ? roof.label() : roof.short_label();
    const double size = roof.thin ? size_ - 1.5 : size_, width = text_width(label, size);
    std::vector<std::vector<Box>> candidates;
    std::vector<Point> bases;
    for (double right = ends.second.x - 6; right - width > ends.first.x; right -= 24)
      for (const double base : {ends.second.y - 4, ends.second.y + size + 2}) {
        candidates.push_back({Box{right - width, base - 0.8 * size, width, size}});
        bases.push_back({right, base});
      }
    if (const auto chosen = placer_.place_first(candidates))
      svg_.text(bases[*chosen], label, size, "halo " + colour(roof, "t"), Anchor::end);
  }

  void label_kernels() {
    struct Label {
      std::string name, values;
      Point marker;
      std::string css;
    };
    constexpr double one_place = 10, gap = 6;  // pixels
    std::vector<Label> labels;
    for (const auto& kernel : content_.kernels) {
      const KernelPoint& point = *kernel.member->point;
      const auto level = outermost_level(point.counts);
      if (!level || kernel.label.empty()) continue;
      const auto marker = axes_.at(*point.counts.intensity(*level), point.flop_rate());
      const auto same = std::find_if(labels.begin(), labels.end(), [&](const Label& other) {
        return other.name == kernel.label &&
               std::hypot(other.marker.x - marker.x, other.marker.y - marker.y) < one_place;
      });
      if (same == labels.end())
        labels.push_back({kernel.label, kernel.value, marker,
                          kernel.family ? "halo label " + family_class("t", *kernel.family) : "halo label"});
      else if (!kernel.value.empty())
        same->values += ", " + kernel.value;
    }
    const double size = content_.overview ? 10 : 10.5;
    for (const auto& [name, values, marker, css] : labels) {
      const auto text = values.empty() ? name : name + " " + values + " %";
      const auto box = placer_.place(marker, gap, text_width(text, size), size);
      if (!box) continue;
      const auto near = box->nearest(marker);
      if (std::hypot(near.x - marker.x, near.y - marker.y) > gap + 4) svg_.line(marker, near, "leader");
      svg_.text({box->center().x, box->y + 0.85 * size}, text, size, css, Anchor::middle);
    }
  }

  Svg& svg_;
  const Box frame_;
  const PanelContent& content_;
  const Roofline& roofline_;
  const PanelAxes axes_;
  LabelPlacer placer_;
  const double size_;
};

}  // namespace

PanelAxes panel_axes(const Box& frame, const PanelContent& content, const Roofline& roofline) {
  LogRange x, y;
  for (const auto& kernel : content.kernels) {
    const KernelPoint& point = *kernel.member->point;
    for (const auto level : memory_levels)
      if (const auto intensity = point.counts.intensity(level)) x.include(*intensity);
    y.include(point.flop_rate());
    if (const auto roof = point.assessment.roof)
      if (roof->attainable) y.include(*roof->attainable);
  }
  if (content.overview || content.kernels.empty()) {
    for (const auto level : memory_levels)
      if (const auto ridge = roofline.ridge(level)) x.include(*ridge), x.include(16 * *ridge);
    for (const auto operation : {Operation::fma, Operation::nofma, Operation::add})
      if (const auto* const ceiling = roofline.compute(operation)) {
        y.include(ceiling->rate);
        if (content.kernels.empty()) y.include(ceiling->rate / 100);
      }
  }
  x = x.padded(1.7, 1.2);
  y = y.padded(1.7, 1.0);
  return {{x.low, x.high, frame.x, frame.x + frame.width}, {y.low, y.high, frame.y + frame.height, frame.y}};
}

void draw_panel(Svg& svg, const Box& frame, const PanelContent& content, const Roofline& roofline) {
  PanelDrawing(svg, frame, content, roofline).draw();
}

}  // namespace roofline
