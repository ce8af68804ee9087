#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bench/model/ceiling.hpp"
#include "bench/model/counts.hpp"

namespace roofline {

enum class Replacement { lru, random };
enum class SetIndex { hashed, modulo };

/// Geometry and policy of one cache of a described GPU. Lines are tagged, sectors of 32 B are filled.
struct SectoredGeometry {
  std::uint64_t size = 0;  ///< bytes; for L1: L1 and shared memory together
  unsigned line = 128;     ///< bytes
  unsigned ways = 16;
  Replacement replacement = Replacement::lru;
  SetIndex set_index = SetIndex::hashed;
  unsigned latency = 0;  ///< cycles of a hit
  /// 2 for an L2 with two halves: each serves half of the SMs and keeps copies of the other half's lines that they
  /// read.
  unsigned halves = 1;
};

/// A GPU as its file describes it (bench/virtual_gpu/devices): all that the device model knows of it.
struct Device {
  std::string name;
  std::string description;

  unsigned sms = 0;
  double clock = 0;            ///< Hz; turns ceilings in B/s into bytes per cycle for the greedy schedule
  unsigned fp64_lanes = 0;     ///< FP64 instructions of single lanes that one SM completes in a cycle
  unsigned warps_per_sm = 0;   ///< resident
  unsigned blocks_per_sm = 0;  ///< resident
  unsigned registers_per_sm = 0;
  unsigned register_unit = 0;                 ///< registers are given to warps in multiples of this
  std::vector<std::uint64_t> shared_options;  ///< bytes that the L1 can give to shared memory, ascending

  SectoredGeometry l1, l2;
  /// Reads of one sector, in flight together, that L2's request coalescer makes one of where they come from SMs of one
  /// GPC; 1 where there is no coalescer.
  unsigned merged_reads = 1;
  unsigned gpcs = 1;          ///< that pairs of SMs are dealt to in turn; told only of a chip with a coalescer
  unsigned dram_fetch = 0;    ///< bytes that a read brings in, aligned: 32 or 64
  unsigned dram_latency = 0;  ///< cycles of a load that misses L2

  Operations division, reciprocal;  ///< instructions that a / b and 1 / b expand to

  // Properties that programs ask the runtime for. They are 0 if the file has no "product".
  unsigned capability = 0;   ///< compute capability: 90 is 9.0
  unsigned fp32_lanes = 0;   ///< as fp64_lanes
  std::uint64_t memory = 0;  ///< bytes of DRAM
  unsigned bus_width = 0;    ///< bits
  double memory_clock = 0;   ///< Hz

  std::vector<Ceiling> ceilings;               ///< published or theoretical rates; Ceiling::variant says which
  std::map<std::string, std::string> sources;  ///< "/l1/size": where the figure comes from

  /// Whether reads of L2 may be fewer than the L1s send.
  bool merges_reads() const { return merged_reads > 1; }
  /// Best ceiling of a level in B/s. Throws std::logic_error when the file has none (the reader asks for all).
  double bandwidth(MemoryLevel level) const;
  /// Identifies geometry, policies and model version (16 hex digits): equal hashes, equal numbers.
  std::string model_hash() const;
};

/// Reads a device file. Every figure is {"value": ..., "source": "..."}; a missing, unknown or senseless one is refused
/// with one line naming it. Throws FileError.
Device read_device(const std::filesystem::path& file);
/// A device that the program knows by name, else a device file, or the text of one, which begins with a brace. Throws
/// FileError.
Device find_device(const std::string& name);
/// The names that find_device() knows: those of files, and of cards whose attributes are published.
std::vector<std::string> device_names();
/// The same from text; `origin` is named in errors.
Device parse_device(const std::string& text, const std::string& origin);

}  // namespace roofline
