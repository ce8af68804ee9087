#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "bench/text/format.hpp"
#include "reporters/claims/case_study_text.hpp"
#include "reporters/claims/expression.hpp"
#include "reporters/drawing/axes.hpp"
#include "reporters/drawing/label_placement.hpp"
#include "reporters/drawing/svg.hpp"
#include "reporters/view/point_names.hpp"

namespace roofline::claims {
namespace {

constexpr double width = 860, height = 470, left = 70, right = 20, top = 20, bottom = 50;

constexpr std::string_view plot_style = R"(text{font-family:"DejaVu Sans",Verdana,sans-serif;fill:#222}
.paper{fill:#fff}.frame{fill:none;stroke:#555}.grid{stroke:#e2e2e2}.tick{fill:#444}
.ours{stroke:#b3261e;stroke-width:2.2;fill:none}.lower{stroke:#b3261e;stroke-width:1.2;stroke-dasharray:5 3;fill:none}
.point{fill:#b3261e;stroke:#fff;stroke-width:.7}.theirs{stroke:#9a9a9a;stroke-width:1.6;fill:none}
.grey{fill:#9a9a9a;stroke:#fff;stroke-width:.7}.greytext{fill:#6a6a6a}.mask{fill:#fff}
)";

struct Marked {
  std::string label;
  double intensity = 0, rate = 0;  // FLOP/B, FLOP/s
};

struct Roof {
  Operation operation;
  std::string label;
  double value = 0;  // FLOP/s
};

struct Drawing {
  std::vector<Marked> ours, theirs;
  std::optional<double> our_memory, their_memory;  // B/s
  std::vector<Roof> our_compute, their_compute;
};

std::optional<double> number(const std::string& expression, const Facts& facts) {
  Scope scope{.facts = facts};
  try {
    return evaluate(expression, scope).value;
  } catch (const Missing&) {
    return std::nullopt;
  }
}

bool belongs(const StudyText& study, const std::string& row) {
  for (const auto& pattern : study.rows)
    if (fits_row(pattern, row)) return true;
  return false;
}

Drawing drawing_of(const StudyText& study, const Results& results) {
  Drawing drawing;
  for (const auto& point : results.points) {
    const auto intensity = point.counts.intensity(MemoryLevel::DRAM);
    if (!intensity || *intensity <= 0 || point.time.median <= 0 || !belongs(study, point.name)) continue;
    drawing.ours.push_back({point.name, *intensity, point.flop_rate()});
  }
  const auto& roofline = results.roofline;
  for (const auto operation : {Operation::fma, Operation::nofma})
    if (const auto* const c = roofline.compute(operation))
      drawing.our_compute.push_back({operation, operation == Operation::fma ? "FMA" : "no FMA", c->rate});
  if (const auto* const c = roofline.bandwidth(MemoryLevel::DRAM)) drawing.our_memory = c->rate;
  const RunFacts facts(results);
  for (const auto& [label, x, y] : study.published)
    if (const auto intensity = number(x, facts), rate = number(y, facts); intensity && rate)
      drawing.theirs.push_back({label, *intensity, *rate * 1e9});
  for (const auto& [operation, label, text] : published_roofs().compute)
    if (const auto rate = number(text, facts)) drawing.their_compute.push_back({operation, label, *rate * 1e9});
  if (const auto rate = number(published_roofs().memory, facts)) drawing.their_memory = *rate * 1e9;
  return drawing;
}

class Canvas {
 public:
  explicit Canvas(const Drawing& drawing) : svg_(width, height, plot_style) {
    LogRange x, y;
    for (const auto* const points : {&drawing.ours, &drawing.theirs})
      for (const auto& point : *points) x.include(point.intensity), y.include(point.rate);
    for (const auto* const roofs : {&drawing.our_compute, &drawing.their_compute})
      for (const auto& roof : *roofs) y.include(roof.value);
    x.include(0.1), x.include(20);
    if (y.empty()) y.include(1e9), y.include(1e12);
    x = x.padded(1.5, 2), y = y.padded(1.7, 2);
    x_ = {x.low, x.high, left, width - right}, y_ = {y.low, y.high, height - bottom, top};
  }

  void axes() {
    svg_.rectangle({0, 0, width, height}, "paper");
    for (const double tick : x_.labelled_ticks()) {
      svg_.line({x_.position(tick), top}, {x_.position(tick), height - bottom}, "grid");
      svg_.text({x_.position(tick), height - bottom + 16}, significant(tick, 2), 11, "tick", Anchor::middle);
    }
    for (const double tick : y_.labelled_ticks()) {
      svg_.line({left, y_.position(tick)}, {width - right, y_.position(tick)}, "grid");
      svg_.text({left - 6, y_.position(tick) + 4}, significant(giga(tick), 2), 11, "tick", Anchor::end);
    }
    svg_.text({(left + width - right) / 2, height - 12}, "arithmetic intensity at DRAM, FLOP/B", 12, "tick",
              Anchor::middle);
    svg_.text({16, (top + height - bottom) / 2}, "GFLOP/s", 12, "tick", Anchor::middle, -90);
  }

  /// One roof of a memory and a compute ceiling, its label on the flat part.
  void roof(double bandwidth, const Roof& compute, std::string_view css, std::string_view text_css) {
    const double ridge = compute.value / bandwidth;
    const double from = std::max(x_.low, y_.low / bandwidth);
    std::vector<Point> corners;
    if (from < ridge) corners.push_back({x_.position(from), y_.position(from * bandwidth)});
    if (ridge < x_.high) {
      corners.push_back({x_.position(std::max(ridge, x_.low)), y_.position(compute.value)});
      corners.push_back({x_.position(x_.high), y_.position(compute.value)});
    } else {
      corners.push_back({x_.position(x_.high), y_.position(x_.high * bandwidth)});
    }
    svg_.polyline(corners, css);
    for (std::size_t i = 1; i < corners.size(); ++i) labels_.prefer_clear(corners[i - 1], corners[i]);
    const auto label = fmt::format("{} {} GFLOP/s", compute.label, significant(giga(compute.value)));
    // The lower roof's below it: above are points that only FMA can reach.
    const double beside = compute.operation == Operation::fma ? -5 : 12;
    const Point at{width - right - 4, y_.position(std::min(compute.value, x_.high * bandwidth)) + beside};
    svg_.text(at, label, 10, text_css, Anchor::end);
    const double length = length_of(label);
    labels_.keep_clear({at.x - length, at.y - 10, length, 13});
  }

  void markers(const std::vector<Marked>& points, Shape shape, std::string_view css) {
    for (const auto& point : points) {
      const auto at = position(point);
      svg_.marker(shape, at, 4.5, css,
                  fmt::format("{}: {} FLOP/B, {} GFLOP/s", point.label, significant(point.intensity),
                              significant(giga(point.rate))));
      labels_.keep_clear({at.x - 5, at.y - 5, 10, 10});
    }
  }

  /// After all markers and roofs, which labels keep clear of.
  void label(const std::vector<Marked>& points, std::string_view css, bool numbered) {
    int number = 0;
    for (const auto& point : points) {
      const auto text = numbered ? std::to_string(++number) : point.label;
      if (const auto box = labels_.place(position(point), 6, length_of(text), 12))
        svg_.text({box->x + 1, box->y + 10}, text, 10, css, Anchor::start);
    }
  }

  std::string document(const std::string& title) const { return svg_.document(title); }

 private:
  static double length_of(const std::string& text) { return 2 + 6.4 * static_cast<double>(text.size()); }
  Point position(const Marked& point) const { return {x_.position(point.intensity), y_.position(point.rate)}; }

  Svg svg_;
  LogAxis x_, y_;
  LabelPlacer labels_{{left, top, width - left - right, height - top - bottom}};
};

}  // namespace

std::string case_study_plot(const StudyText& study, const Results& results) {
  const auto drawing = drawing_of(study, results);
  Canvas canvas(drawing);
  canvas.axes();
  // On the talk's own machine its roofs would lie under ours.
  const auto is_ours = [&](const Roof& roof) {
    return std::any_of(drawing.our_compute.begin(), drawing.our_compute.end(),
                       [&](const Roof& ours) { return std::abs(ours.value / roof.value - 1) < 0.02; });
  };
  if (drawing.their_memory)
    for (const auto& compute : drawing.their_compute)
      if (!is_ours(compute)) canvas.roof(*drawing.their_memory, compute, "theirs", "greytext");
  if (drawing.our_memory)
    for (const auto& compute : drawing.our_compute)
      canvas.roof(*drawing.our_memory, compute, compute.operation == Operation::fma ? "ours" : "lower", "tick");
  canvas.markers(drawing.theirs, Shape::diamond, "grey");
  canvas.markers(drawing.ours, Shape::circle, "point");
  canvas.label(drawing.ours, "tick", true);
  canvas.label(drawing.theirs, "greytext", false);
  auto text = canvas.document(study.title);
  // Inside a page an XML declaration has no place.
  if (const auto start = text.find("<svg"); start != std::string::npos) text.erase(0, start);
  return text;
}

}  // namespace roofline::claims
