#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/levels/ladder.hpp"
#include "bench/machine/gpu_facts.hpp"
#include "bench/machine/machine.hpp"
#include "bench/model/ceiling.hpp"
#include "bench/model/counts.hpp"
#include "bench/model/ert_sweep.hpp"
#include "bench/space/buffer.hpp"
#include "bench/space/real.hpp"
#include "bench/space/workload.hpp"

namespace roofline {

/// The kind of device that the kernels of a run use. A family may have variants on each, under the same names, so that
/// files of runs on two platforms pair up.
enum class Platform {
  cpu,   ///< this machine's cores
  cuda,  ///< an NVIDIA GPU, or a virtual one that a device file describes
};

/// The treatment of a run's launches. Only the first kind runs on the device that the results are about.
enum class Launches : unsigned char {
  timed,     ///< and counted
  verified,  ///< executed by a virtual GPU to verify results, without large work and repetitions that only serve times
  counted,   ///< executed by a virtual GPU, verified and counted
  modelled,  ///< counted by a model: on a GPU only what decides addresses is executed, arrays need no other data
};

/// The subject of a run: the device that its numbers belong to.
struct Target {
  Platform platform = Platform::cpu;
  std::string fingerprint;  ///< hard keys in one line; ceilings of another one are foreign
  int threads = 1;          ///< of the all-cores rows; 1 where a GPU is the device
  Machine host;             ///< this machine: the device itself, or what it is plugged into
  std::optional<Gpu> gpu;   ///< of the platform cuda
};

/// The cores of this machine.
inline Target cpu_target(const Machine& host, int threads) {
  return {Platform::cpu, host.fingerprint, threads, host, std::nullopt};
}

/// Which runs include a variant that no filter asks for.
enum class Selection { quick, standard, full };

/// One of several tunings of a kernel that compute the same, operation by operation, and differ in how they load, store
/// or walk.
struct KernelTuning {
  std::string name;  ///< "streaming stores, 24 rows"
  std::function<Workload()> make;
};

/// One registered kernel variant.
struct Variant {
  std::string name;         ///< family/arg:value/...
  std::string family = {};  ///< left out: the one that adds it
  Selection selection = Selection::full;
  bool fma = true;
  std::function<Workload()> make = {};
  std::string about = {};  ///< what this variant is, for --describe
  /// For a tuned row a short trial on the machine chooses (bench/suite/tunings.hpp). If nothing is timed, the first
  /// tuning is used, and `make` makes it too.
  std::vector<KernelTuning> tunings = {};
  std::string problem = {};  ///< the size, where the name leaves it out: "n:16777216"
};

/// Thrown when a ceiling is set up on a device that turns out to lack the resource. The row is left out, with this
/// line, and the rest of the run goes on.
struct NoSuchCeiling : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One registered ceiling. Variants of one ceiling (chains, unrolling) are tried in turn, the best one is kept.
struct CeilingVariant {
  Ceiling ceiling;  ///< everything but the result
  Selection selection = Selection::full;
  std::vector<std::function<CeilingWork()>> make;  ///< empty: `ceiling` is complete and nothing is measured
};

/// A problem size that a flag sets: --gpp=512,2,32768,20.
using Sizes = std::vector<Index>;

/// A kernel family, as --list and --describe print it.
struct Family {
  std::string name;         ///< gpp
  std::string flops;        ///< per point, with the convention: "8 + 28 nw per inner iteration (canonical)"
  std::string bytes;        ///< per point at L1 and the compulsory DRAM bytes
  std::string teaches;      ///< one line
  std::string description;  ///< several lines for --describe: formula, source, what to look at
  std::string size_names;   ///< "number_bands,nvband,ncouls,nodes_per_group"; empty: no size flag
  std::string size_range;   ///< what they count and may be: "2^level cells along each edge, 3..8"
  Sizes default_sizes;
  Sizes quick_sizes;                             ///< for --quick; empty: the default ones
  Sizes small_sizes = {};                        ///< for tests of every row, on every platform; empty: the quick ones
  Sizes published_sizes = {};                    ///< for a case study on the CPU; empty: the default ones
  std::vector<std::string> size_arguments = {};  ///< of names, that are left out where nobody chose them: "n"
};

/// Everything that can run. Families add their variants for the sizes that the command line chose.
class Suite {
 public:
  explicit Suite(Target target, std::uint64_t seed = 0) : target_(std::move(target)), seed_(seed) {}

  void add(Variant variant) {
    if (!variant.tunings.empty()) variant.make = variant.tunings.front().make;
    variants_.push_back(std::move(variant));
  }
  /// Variants that `add` adds belong to `family`. Throws std::invalid_argument if a variant says otherwise, or if two
  /// have one name.
  void add_family(const std::string& family, void (*add)(Suite&, const Sizes&), const Sizes& sizes);
  /// Takes these arguments out of the names of a family's variants and keeps them as their problem: rows of machines
  /// that choose different sizes then have one name.
  void name_without(const std::vector<std::string>& arguments, const std::string& family);
  /// By the name of its row; null when there is none.
  const CeilingVariant* ceiling(const std::string& name) const;
  void add_ceiling(CeilingVariant ceiling) { ceilings_.push_back(std::move(ceiling)); }
  /// The same under a load of seconds: .../sustained[/threads:N].
  void add_sustained(CeilingVariant ceiling, Selection selection);

  /// A family that cannot run here, and why, where nobody chose its size.
  void skip(const std::string& family, std::string why) { skipped_[family] = std::move(why); }
  const std::map<std::string, std::string>& skipped() const { return skipped_; }

  /// A flag gave the size of a family: its variants are of that size and no other.
  void fix_size(const std::string& family) { fixed_sizes_.insert(family); }
  bool has_fixed_size(const std::string& family) const { return fixed_sizes_.contains(family); }

  /// To be said before variants are added.
  void set_launches(Launches launches) { launches_ = launches; }
  Launches launches() const { return launches_; }
  bool is_timed() const { return launches_ == Launches::timed; }
  bool is_modelled() const { return launches_ == Launches::modelled; }

  const Target& target() const { return target_; }
  const Machine& machine() const { return target_.host; }
  Platform platform() const { return target_.platform; }
  const Gpu& gpu() const { return target_.gpu.value(); }  ///< of the platform cuda
  int threads() const { return target_.threads; }         ///< of the "all cores" rows
  /// The seed of inputs that a specification leaves open: 0 is the fixed pattern of each family, any other value Noise.
  std::uint64_t seed() const { return seed_; }
  const std::vector<Variant>& variants() const { return variants_; }
  const std::vector<CeilingVariant>& ceilings() const { return ceilings_; }

 private:
  Target target_;
  std::uint64_t seed_;
  Launches launches_ = Launches::timed;
  std::set<std::string> fixed_sizes_;
  std::map<std::string, std::string> skipped_;
  std::vector<Variant> variants_;
  std::vector<CeilingVariant> ceilings_;
};

/// A size that no flag has fixed, cut so that `bytes_per_unit` of it fill at most a quarter of the memory that this
/// process may have.
Index within_memory(const Suite& suite, const std::string& family, Index size, double bytes_per_unit);

/// Adds a family's variants. Throws std::invalid_argument with one clear line on sizes that make no sense.
using AddVariants = void (*)(Suite&, const Sizes&);

/// A family on one platform.
struct Port {
  AddVariants add;
  Sizes default_sizes, quick_sizes;  ///< quick_sizes empty: the default ones
  Sizes verified_sizes = {};         ///< of Launches::verified; empty: the default ones
  Sizes modelled_sizes = {};         ///< of Launches::modelled on a GPU, where empty means not modelled; published ones
  Sizes quick_modelled_sizes = {};   ///< empty: the modelled ones
};

/// The device for which a port's rows are made if flags do not say so; nothing if the port has no rows for such
/// launches. `published`: the sizes of case studies, and on a GPU of modelled runs.
enum class SizeOf { usual, quick, published };
std::optional<Sizes> standard_sizes(const Port& port, Platform platform, Launches launches, SizeOf of);

struct Registration {
  Family family;
  std::map<Platform, Port> ports;
};

/// Measures the ceilings of a platform: adds them to the suite, and sweeps as ERT does.
struct CeilingSource {
  std::vector<void (*)(Suite&)> parts;
  ErtResult (*sweep)(const Suite&) = nullptr;
  /// On a CPU: reads sets of up to `bytes` per thread, for the ladder that finds the levels.
  ReadProbe (*read_probe)(int threads, double most) = nullptr;

  void add(Suite& suite) const {
    for (auto* const part : parts) part(suite);
  }
};

/// The one linked in for a platform; null when there is none.
const CeilingSource* ceiling_source(Platform platform);

/// A file-scope object of this type registers it, or ceilings that come after those of the source.
struct CeilingRegistrar {
  CeilingRegistrar(Platform platform, CeilingSource source);
  CeilingRegistrar(Platform platform, void (*part)(Suite&));
};

/// Every family linked in, by name.
const std::vector<Registration>& families();

/// Adds every family that has a port to the suite's platform, at its size in `chosen` or else at that of `standard`,
/// where that is one. Throws std::invalid_argument on chosen sizes that make no sense.
void add_families(Suite& suite, const std::map<std::string, Sizes>& chosen,
                  const std::function<std::optional<Sizes>(const Port&)>& standard);

/// A file-scope object of this type registers a family, or a port of one; the order of initialisation does not matter.
struct Registrar {
  /// The family and its variants on the CPU.
  Registrar(Family (*family)(), AddVariants add);
  /// Its variants on another platform, in a source file of their own.
  Registrar(const char* family, Platform platform, Port port);
};

}  // namespace roofline
