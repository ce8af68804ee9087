#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "bench/text/clean.hpp"
#include "bench/text/imports/foreign_table.hpp"
#include "reporters/drawing/plot_page.hpp"
#include "reporters/plots/legend.hpp"
#include "reporters/plots/plots.hpp"

namespace roofline {
namespace {

constexpr double chart_height = 560, left_room = 64, foot_room = 52;
constexpr std::size_t most_names = 24;

/// A kernel's way through the chart: one point, or one for each number of platforms.
struct Track {
  std::string kernel;
  std::vector<std::pair<double, double>> points;  ///< x and portability
};

std::vector<Track> tracks_of(const std::vector<PlatformResult>& platforms,
                             const std::map<std::string, double>& divergence) {
  std::vector<Track> tracks;
  for (auto& [kernel, efficiencies] : by_kernel(platforms)) {
    if (!divergence.empty()) {
      const auto found = divergence.find(kernel);
      if (found != divergence.end())
        tracks.push_back({kernel, {{1 - found->second, performance_portability(efficiencies)}}});
      continue;
    }
    std::sort(efficiencies.begin(), efficiencies.end(), std::greater<>());
    if (efficiencies.front() <= 0) continue;
    tracks.push_back({kernel, {}});
    // A platform without a result must not look like 0, so the line ends before it.
    for (std::size_t n = 1; n <= efficiencies.size() && efficiencies[n - 1] > 0; ++n)
      tracks.back().points.emplace_back(
          n, performance_portability({efficiencies.begin(), efficiencies.begin() + static_cast<std::ptrdiff_t>(n)}));
  }
  return tracks;
}

/// A linear chart: where values lie in the frame.
struct Scale {
  Box frame;
  double low, high, top;  ///< of x, and of y from 0
  Point at(double x, double y) const {
    return {frame.x + frame.width * (x - low) / (high - low), frame.y + frame.height * (1 - y / top)};
  }
};

void draw_axes(Svg& svg, const Scale& scale, bool converging, std::size_t platforms) {
  const Box& frame = scale.frame;
  for (int percent = 0; percent <= scale.top * 100; percent += 20) {
    const auto at = scale.at(scale.low, percent / 100.0);
    svg.line(at, {frame.x + frame.width, at.y}, "grid");
    svg.text({frame.x - 7, at.y + 0.36 * plot_page::text}, std::to_string(percent), plot_page::text, "tick",
             Anchor::end);
  }
  const auto tick = [&](double x, const std::string& text) {
    const auto foot = scale.at(x, 0);
    svg.line(foot, {foot.x, frame.y}, "grid");
    svg.text({foot.x, foot.y + plot_page::text + 5}, text, plot_page::text, "tick", Anchor::middle);
  };
  if (converging)
    for (int tenths = 0; tenths <= 10; tenths += 2) tick(tenths / 10.0, fmt::format("{:g}", tenths / 10.0));
  else
    for (std::size_t n = 1; n <= platforms; ++n) tick(static_cast<double>(n), std::to_string(n));
  svg.text({frame.center().x, frame.y + frame.height + 2 * plot_page::text + 14},
           converging ? "Code convergence: 1 - divergence" : "Platforms, the best of each kernel first",
           plot_page::text + 1, "axis", Anchor::middle);
  svg.text({frame.x - left_room + 20, frame.center().y}, "Performance portability [%]", plot_page::text + 1, "axis",
           Anchor::middle, -90);
  svg.rectangle(frame, "frame");
}

/// All of them, or of many the most and the least portable.
std::vector<const Track*> named(const std::vector<Track>& tracks) {
  std::vector<const Track*> order;
  for (const auto& track : tracks) order.push_back(&track);
  if (order.size() <= most_names) return order;
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->points.back().second > b->points.back().second; });
  order.erase(order.begin() + most_names / 2, order.end() - most_names / 2);
  return order;
}

/// Marks, and names where there is room; returns how many had none.
std::size_t draw_tracks(Svg& svg, const Scale& scale, const std::vector<Track>& tracks) {
  LabelPlacer placer({scale.frame.x + 3, scale.frame.y + 3, scale.frame.width - 6, scale.frame.height - 6});
  constexpr double radius = 4.5, gap = 7;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    std::vector<Point> way;
    for (const auto& [x, y] : tracks[i].points) way.push_back(scale.at(x, y));
    if (way.size() > 1) svg.polyline(way, tracks.size() > most_names ? "join levels" : "join scompute");
    for (std::size_t p = 1; p < way.size(); ++p) placer.prefer_clear(way[p - 1], way[p]);
    const auto look = family_look(i);
    for (std::size_t p = 0; p < way.size(); ++p) {
      svg.marker(look.shape, way[p], radius, family_class(look.hollow ? "h" : "f", i),
                 fmt::format("{}: {:.2f} %", tracks[i].kernel, 100 * tracks[i].points[p].second));
      placer.keep_clear({way[p].x - radius, way[p].y - radius, 2 * radius, 2 * radius});
    }
  }
  std::size_t unnamed = tracks.size() - named(tracks).size();
  for (const auto* const chosen : named(tracks)) {
    const Track& track = *chosen;
    const auto mark = scale.at(track.points.back().first, track.points.back().second);
    // A name far from its mark is one for another.
    unnamed += !write_near(svg, placer, mark, gap, track.kernel, plot_page::text - 0.5, "halo label", 90);
  }
  return unnamed;
}

}  // namespace

std::map<std::string, double> parse_divergence(const std::string& text, const std::string& origin) {
  auto table = ForeignTable::one(text, origin, {"kernel", "divergence"}, {});
  table.see("divergence");
  std::map<std::string, double> divergence;
  for (const auto& row : table.rows) {
    const auto value = table.number(row, "divergence");
    if (!value || *value > 1)
      table.fail(row.line,
                 fmt::format("divergence: '{}' is not between 0 and 1", clean(table.text(row, "divergence"))));
    const auto kernel = table.text(row, "kernel");
    if (!divergence.emplace(kernel, *value).second) table.fail(row.line, kernel + " occurs twice");
  }
  if (divergence.empty()) table.fail(1, "no kernel has a divergence");
  return divergence;
}

std::string navigation_chart(const std::vector<PlatformResult>& platforms,
                             const std::map<std::string, double>& divergence) {
  const bool converging = !divergence.empty();
  const auto tracks = tracks_of(platforms, divergence);
  double top = 1.05;
  for (const auto& track : tracks)
    for (const auto& [x, y] : track.points) top = std::max(top, 1.05 * y);
  const Scale scale{{plot_page::margin + left_room, plot_page::header + 8,
                     plot_page::width - 2 * plot_page::margin - left_room, chart_height},
                    converging ? -0.05 : 0.75,
                    converging ? 1.05 : static_cast<double>(platforms.size()) + 0.5,
                    top};
  std::string names;
  for (const auto& platform : platforms) names += (names.empty() ? "" : ", ") + platform.name;
  const double caption_top = scale.frame.y + chart_height + foot_room;
  PlotWords words{"Performance portability over " + std::to_string(platforms.size()) + " platforms", names, {}};
  words.caption = {"Portability: harmonic mean of the efficiencies, never clamped, 0 where a platform has no result."};
  words.caption.push_back(converging ? "Upper right: fast everywhere from one source."
                                     : "A line that stays high: as efficient on its worst platform as on its best. "
                                       "--divergence=FILE.csv draws code convergence instead.");
  if (!converging && std::any_of(tracks.begin(), tracks.end(),
                                 [&](const Track& track) { return track.points.size() < platforms.size(); }))
    words.caption.push_back(
        "A line that ends early: the kernel has no result on the other platforms, so its Phi over all is 0.");
  // The marks are drawn first into a picture that is thrown away: the caption says how many names found no room.
  Svg trial(plot_page::width, caption_top, "");
  if (const auto unnamed = draw_tracks(trial, scale, tracks); unnamed > 0)
    words.caption.push_back(
        fmt::format("{} kernels are not named (the most and the least portable are, as far as there is room); each "
                    "mark tells its own.",
                    unnamed));
  if (converging && tracks.size() < by_kernel(platforms).size())
    words.caption.push_back(fmt::format("{} kernels have no divergence in the file and are left out.",
                                        by_kernel(platforms).size() - tracks.size()));
  auto svg = plot_page::begin(words, caption_top, true);
  draw_axes(svg, scale, converging, platforms.size());
  draw_tracks(svg, scale, tracks);
  return svg.document(words.title);
}

}  // namespace roofline
