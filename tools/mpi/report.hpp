#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tools/mpi/halo.hpp"
#include "tools/mpi/links.hpp"
#include "tools/mpi/windows.hpp"

namespace roofline::mpi {

/// The phases' results so far.
struct Report {
  std::vector<std::string> nodes;  ///< of the ranks
  std::string date, version, mpi_library, machine;
  int threads = 1;         ///< of a rank
  double clock_doubt = 0;  ///< to which offsets of clocks are known, the worst, in seconds
  std::vector<std::string> notes;
  std::vector<CommonWindows> windows;
  std::optional<LinkReport> links;
  std::optional<MessageRoofline> messages;
  std::vector<HaloRun> halos;
  bool complete = false;
};

/// For the screen, in 100 columns.
std::string text(const Report& report);
std::string text(const std::vector<CommonWindows>& windows, const Report& report);
std::string text(const LinkReport& links, const Report& report);
std::string text(const MessageRoofline& messages, const Report& report);
std::string text(const std::vector<HaloRun>& halos);

/// mpi.json, format version 1: SI units, times in seconds.
std::string json(const Report& report);

}  // namespace roofline::mpi
