#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "bench/text/format.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "reporters/drawing/axes.hpp"
#include "reporters/drawing/plot_page.hpp"
#include "reporters/plots/plots.hpp"

namespace roofline {
namespace {

/// So many messages between two synchronisations.
struct MessagePoint {
  double messages, bytes, rate;  ///< bytes of one message; B/s of all
};

/// A halo of a run of `ranks`, at the mean size of its messages.
struct HaloPoint {
  std::string name;
  std::size_t problem;
  bool weak;
  double ranks, messages, bytes, rate;
};

/// The data about messages in mpi.json.
struct MessageRun {
  std::string ends, subtitle;
  double latency = 0, bandwidth = 0;
  std::vector<MessagePoint> points;
  std::vector<HaloPoint> halos;

  double roof(double messages, double bytes) const { return std::min(messages * bytes / latency, bandwidth); }
};

double positive(const JsonReader& place, const std::string& key) {
  const double value = place.at(key).number();
  constexpr double most = 1e18;  // the largest number of bytes or B/s that fits on an axis
  if (!(value > 0 && value < most)) place.at(key).fail("is not a positive number below 1e18");
  return value;
}

std::string end_name(const JsonReader& nodes, double rank) {
  const bool known = rank >= 0 && rank < static_cast<double>(nodes.size());
  return fmt::format("rank {}{}", rank, known ? " on " + nodes.at(static_cast<std::size_t>(rank)).text() : "");
}

void read_halos(const JsonReader& halos, MessageRun& run) {
  std::map<std::string, std::size_t> problems;
  for (std::size_t i = 0; i < halos.size(); ++i) {
    const auto halo = halos.at(i);
    if (halo.has("error") || !(halo.at("bytes").number() > 0)) continue;
    const auto problem = halo.at("problem").text(), scaling = halo.at("scaling").text();
    const double ranks = positive(halo, "ranks"), messages = positive(halo, "messages");
    const double bytes = positive(halo, "bytes");
    run.halos.push_back({fmt::format("{}, {}, {} ranks", problem, scaling, ranks),
                         problems.try_emplace(problem, problems.size()).first->second, scaling == "weak", ranks,
                         messages, bytes / messages, bytes / positive(halo, "exchange")});
  }
}

MessageRun read_messages(const std::string& text, const std::string& origin) {
  const auto document = parse_json(text, origin);
  const JsonReader file(document, origin);
  if (file.text("format").value_or("") != "roofline_mpi")
    throw FileError(origin + ": --view=messages draws mpi.json of roofline_mpi, and this is another file");
  if (!file.has("messages"))
    throw std::invalid_argument(origin + ": has no messages; roofline_mpi --phases=messages measures them");
  const auto found = file.at("messages");
  MessageRun run;
  run.ends =
      end_name(file.at("nodes"), found.at("a").number()) + " and " + end_name(file.at("nodes"), found.at("b").number());
  run.subtitle = fmt::format("{}, {}, {}", file.at("machine").text(), file.at("mpi").text(), file.at("date").text());
  run.latency = positive(found, "latency"), run.bandwidth = positive(found, "bandwidth");
  const auto points = found.at("points");
  for (std::size_t i = 0; i < points.size(); ++i)
    run.points.push_back(
        {positive(points.at(i), "messages"), positive(points.at(i), "bytes"), positive(points.at(i), "rate")});
  if (run.points.empty()) found.fail("has no points");
  if (file.has("halos")) read_halos(file.at("halos"), run);
  return run;
}

class MessageChart {
 public:
  MessageChart(Svg& svg, const MessageRun& run) : svg_(svg), run_(run), placer_(frame_) {
    LogRange x, y;
    for (const auto& point : run.points) x.include(point.bytes), y.include(point.rate);
    for (const auto& point : run.halos) x.include(point.bytes), y.include(point.rate);
    y.include(run.bandwidth), x = x.padded(1.6, 2), y = y.padded(1.8, 2);
    x_ = {x.low, x.high, frame_.x, frame_.x + frame_.width};
    y_ = {y.low, y.high, frame_.y + frame_.height, frame_.y};
  }

  void draw() {
    draw_axes();
    for (const auto& [messages, css] : series) draw_points(messages, css);
    for (const auto& [messages, css] : series) draw_roof(messages, css);
    const double most = std::end(series)[-1].messages, ridge = run_.latency * run_.bandwidth / most;
    const auto low = at(std::max(std::min(ridge, x_.high / 2), x_.low), run_.bandwidth),
               high = at(x_.high, run_.bandwidth);
    svg_.line(low, high, "roof scompute"), placer_.prefer_clear(low, high);
    write_along(svg_, placer_, low, high, fmt::format("{} GB/s", significant(giga(run_.bandwidth), 3)), size,
                "halo label");
    draw_halos();
  }

  static constexpr Box frame_{plot_page::margin + 62, plot_page::header + 8,
                              plot_page::width - 2 * plot_page::margin - 62, 600};

 private:
  struct Series {
    double messages;
    const char* css;
  };
  static constexpr Series series[] = {{1, "L1"}, {4, "L2"}, {16, "L3"}};
  static constexpr double size = plot_page::text + 0.5, radius = 4;

  Point at(double bytes, double rate) const { return {x_.position(bytes), y_.position(rate)}; }
  static Box box_around(Point at) { return {at.x - radius, at.y - radius, 2 * radius, 2 * radius}; }

  void draw_axes() {
    const double bottom = frame_.y + frame_.height, right = frame_.x + frame_.width;
    bool named = true;
    for (double bytes = 1; bytes < x_.high; bytes *= 4, named = !named) {
      if (bytes < x_.low) continue;
      svg_.line({x_.position(bytes), frame_.y}, {x_.position(bytes), bottom}, named ? "grid" : "minor");
      if (named) svg_.text({x_.position(bytes), bottom + size + 4}, binary_size(bytes), size, "tick", Anchor::middle);
    }
    for (const double rate : y_.minor_ticks())
      svg_.line({frame_.x, y_.position(rate)}, {right, y_.position(rate)}, "minor");
    for (const double rate : y_.decades()) svg_.line({frame_.x, y_.position(rate)}, {right, y_.position(rate)}, "grid");
    for (const double rate : y_.labelled_ticks())
      svg_.text({frame_.x - 6, y_.position(rate) + 0.35 * size}, fmt::format("{:.8g}", giga(rate)), size, "tick",
                Anchor::end);
    svg_.text({frame_.center().x, bottom + 2 * size + 12}, "Size of a message", size, "axis", Anchor::middle);
    svg_.text({frame_.x - 48, frame_.center().y}, "Rate [GB/s]", size, "axis", Anchor::middle, -90);
    svg_.rectangle(frame_, "frame");
  }

  /// bytes x messages / latency up to the bandwidth.
  void draw_roof(double messages, const std::string& css) {
    const double ridge = std::min(run_.latency * run_.bandwidth / messages, x_.high);
    const double from = std::max(x_.low, y_.low * run_.latency / messages);
    if (ridge > from) {
      const auto low = at(from, run_.roof(messages, from)), high = at(ridge, run_.roof(messages, ridge));
      svg_.line(low, high, "roof s" + css), placer_.prefer_clear(low, high);
      const auto what = fmt::format("{} message{}", messages, messages == 1 ? "" : "s");
      write_along(svg_, placer_, low, high, fmt::format("{} / {}", what, duration(run_.latency)), size, "halo t" + css);
    }
  }

  void draw_points(double messages, const std::string& css) {
    std::vector<Point> line;
    for (const auto& point : run_.points) {
      if (point.messages != messages) continue;
      line.push_back(at(point.bytes, point.rate));
      placer_.keep_clear(box_around(line.back()));
      if (line.size() > 1) placer_.prefer_clear(line[line.size() - 2], line.back());
    }
    svg_.polyline(line, "join s" + css);
    for (const auto& point : run_.points)
      if (point.messages == messages)
        svg_.marker(
            Shape::circle, at(point.bytes, point.rate), radius, "f" + css,
            fmt::format("{} x {}: {} GB/s, {} % of its roof", messages, binary_size(point.bytes),
                        significant(giga(point.rate), 3), percent(point.rate / run_.roof(messages, point.bytes))));
  }

  /// All of them; names of those on most ranks.
  void draw_halos() {
    double most = 0;
    for (const auto& halo : run_.halos) {
      const auto spot = at(halo.bytes, halo.rate);
      most = std::max(most, halo.ranks), placer_.keep_clear(box_around(spot));
      svg_.marker(halo.weak ? Shape::square : Shape::diamond, spot, radius + 1.5, family_class("f", halo.problem),
                  fmt::format("{}: {} messages of {}: {} GB/s, {} % of their roof", halo.name, halo.messages,
                              binary_size(halo.bytes), significant(giga(halo.rate), 3),
                              percent(halo.rate / run_.roof(halo.messages, halo.bytes))));
    }
    for (const auto& halo : run_.halos) {
      if (halo.ranks < most) continue;
      write_near(svg_, placer_, at(halo.bytes, halo.rate), 9, halo.name, size,
                 "halo " + family_class("t", halo.problem));
    }
  }

  Svg& svg_;
  const MessageRun& run_;
  LabelPlacer placer_;
  LogAxis x_, y_;
};

}  // namespace

std::string message_plot(const std::string& text, const std::string& origin) {
  const auto run = read_messages(text, origin);
  PlotWords words{"Message roofline: " + run.ends, run.subtitle, {}};
  words.caption = {
      "Circles: 1, 4 and 16 messages per synchronisation, one way. Roofs: bytes x messages / latency, and the "
      "bandwidth (Ding, Haseeb, Groves and Williams, P3HPC 2023)."};
  if (!run.halos.empty())
    words.caption.emplace_back(
        "Diamonds and squares: halos, strong and weak scaling, at the mean size of the messages that a rank sends in a "
        "step, and the bytes sent per second of its exchange. The ones on most ranks are named.");
  const double caption_top = MessageChart::frame_.y + MessageChart::frame_.height + 52;
  auto svg = plot_page::begin(words, caption_top, true);
  MessageChart(svg, run).draw();
  return svg.document(words.title);
}

}  // namespace roofline
