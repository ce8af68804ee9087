#include "tools/roofline/machines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "bench/machine/own_program.hpp"
#include "bench/result/results.hpp"
#include "bench/storage/ceilings_file.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"

namespace roofline::cli {
namespace {

namespace fs = std::filesystem;

/// The folder of the archive; it need not exist.
fs::path machines_folder() {
  if (const char* const given = std::getenv("ROOFLINE_MACHINES")) return given;
  const auto programs = own_program().parent_path();
  const auto installed = programs / ".." / "share" / "roofline" / "machines";
  return fs::is_directory(installed) ? installed : programs / ".." / ".." / ".." / "results" / "machines";
}

}  // namespace

std::string file_of_machine(const std::string& name) {
  if (name == "-" || fs::exists(name)) return name;
  const auto folder = machines_folder();
  if (const auto file = folder / (name + ".json"); name.find('/') == name.npos && fs::exists(file))
    return file.string();
  std::vector<std::string> known;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().extension() == ".json") known.push_back(entry.path().stem().string());
  std::sort(known.begin(), known.end());
  throw FileError(fmt::format("{}: neither a file nor a machine of the archive, which has {}", name,
                              known.empty() ? "not been found" : fmt::format("{}", fmt::join(known, ", "))));
}

std::vector<Ceiling> roofs_of_machine(const std::string& name) {
  const auto file = file_of_machine(name);
  const auto run = read_run(file);
  std::vector<Ceiling> roofs;
  const auto add = [&](const Ceiling* roof, const std::string& what) {
    if (!roof) return;
    roofs.push_back(*roof);
    roofs.back().external = true;
    roofs.back().label = fmt::format("{} {}", fs::path(file).stem().string(), what);
  };
  add(run.roofline.compute(Operation::fma, "fp64"), "FP64 FMA");
  for (const auto level : memory_levels) add(run.roofline.bandwidth(level), std::string(roofline::name(level)));
  if (roofs.empty()) throw std::invalid_argument(file + ": has no ceilings");
  return roofs;
}

}  // namespace roofline::cli
