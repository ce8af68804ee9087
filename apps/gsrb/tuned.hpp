#pragma once
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "apps/gsrb/solve.hpp"
#include "apps/gsrb/whole_packs.hpp"

namespace roofline::gsrb {

/// A tuning of a tuned row: layout, loads and walk.
struct LoopTuning {
  Rows rows = Rows::padded;
  bool whole_packs = false;
  Walk walk = {};

  std::string name() const {
    return fmt::format("{}{}chunks of {} rows, {} planes, {}{}", rows == Rows::dense ? "dense rows, " : "",
                       whole_packs ? "whole packs, " : "", walk.chunk_rows, walk.chunk_planes,
                       walk.rows_ahead == 0 ? "no prefetch"
                                            : fmt::format("prefetch {} rows ahead{}", walk.rows_ahead,
                                                          walk.into == Prefetch::into_l2 ? " into L2" : ""),
                       walk.streams ? ", streaming stores" : "") +
           (walk.planes_at_once > 1 ? fmt::format(", {} planes at once", walk.planes_at_once) : "");
  }
};

/// The tunings of a tuned row: the published one, its stores the other way and without prefetch; rows that are padded
/// to whole cache lines only x aligned loads x chunks x prefetch x stores.
template <class Method>
std::vector<LoopTuning> tunings_of(int number, bool usually_streams) {
  constexpr bool whole_rows = Method::cells_per_item == 1;
  std::vector<LoopTuning> all;
  const auto add = [&](const LoopTuning& tuning) {
    if (whole_rows || !tuning.walk.streams) all.push_back(tuning);
  };
  const bool packs_fit = whole_rows && box_edge(number) >= least_whole_packs;
  for (const bool streams : {usually_streams, !usually_streams})
    for (const Index ahead : {2, 0}) add({.walk = {.rows_ahead = ahead, .streams = streams}});
  struct Asking {
    Index rows_ahead;
    Prefetch into = Prefetch::into_l1;
  };
  std::vector<Asking> asking{{0}, {1}, {4}};
  if (packs_fit) asking.push_back({4, Prefetch::into_l2});
  for (const bool streams : {usually_streams, !usually_streams})
    for (const auto& [ahead, into] : asking)
      for (const Index at_once : {1, 2})
        for (const auto& [rows, planes] : {std::pair<Index, Index>{32, 8}, {64, 16}})
          add({Rows::dense,
               packs_fit,
               {.chunk_rows = rows,
                .chunk_planes = planes,
                .rows_ahead = ahead,
                .into = into,
                .streams = streams,
                .planes_at_once = at_once}});
  return all;
}

}  // namespace roofline::gsrb
