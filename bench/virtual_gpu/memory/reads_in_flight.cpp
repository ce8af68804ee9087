#include "bench/virtual_gpu/memory/reads_in_flight.hpp"

namespace roofline {

unsigned ReadsInFlight::merged(const LineAccess& read, std::uint64_t now, std::uint64_t until) {
  const auto hash = (read.line + std::uint32_t{read.gpc} * 0x85ebca6bu) * 0x9e3779b1u;
  auto& line = lines_[hash >> 15];  // 17 bits: places
  if (line.number != read.line || line.gpc != read.gpc || line.until < now)
    line = {.until = until, .number = read.line, .gpc = read.gpc};
  unsigned sectors = 0;
  for (unsigned s = 0; s < sectors_per_line; ++s) {
    if ((read.sectors >> s & 1) == 0) continue;
    auto& sharing = line.sharing[s];
    const bool joins = sharing > 0 && sharing < most_;
    sectors += joins;
    sharing = joins ? static_cast<std::uint8_t>(sharing + 1) : std::uint8_t{1};
  }
  return sectors;
}

}  // namespace roofline
