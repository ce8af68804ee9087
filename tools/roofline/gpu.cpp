#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "bench/any_program/runs.hpp"
#include "bench/text/output.hpp"
#include "bench/virtual_gpu/runtime/settings.hpp"
#include "bench/virtual_gpu/runtime/virtual_device.hpp"
#include "tools/roofline/subcommand.hpp"

// Runs somebody else's CUDA program on a virtual GPU: a library of ours takes the place of libcudart in its process.
namespace roofline::cli::gpu_command {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string device = "h100", checks, faults, json = "roofline-out/virtual-gpu.json";
  int threads = 0;
  bool quiet = false;
  std::vector<std::string> program;
};

/// The library where the build and the installation put it, seen from this program: libcudart.so.13, or .12 where that
/// toolkit built it; of several the one that the program's file asks for.
fs::path virtual_cudart(const std::string& bytes_of_program) {
  const auto folder = any_program::installed_folder();
  fs::path found;
  if (fs::exists(folder))
    for (const auto& entry : fs::directory_iterator(folder)) {
      const auto file = entry.path().filename().string();
      if (!file.starts_with("libcudart.so.")) continue;
      if (found.empty() || bytes_of_program.find(file + '\0') != std::string::npos) found = fs::canonical(entry.path());
    }
  if (!found.empty()) return found;
  throw Inconclusive(
      fmt::format("there is no libcudart.so in {}: this build has no CUDA, or the target virtual_cudart is missing",
                  folder.string()));
}

/// Refuses what cannot work before it fails in a way that is harder to read: a program that has CUDA linked into it.
void require_shared_runtime(const fs::path& program, const std::string& bytes, const std::string& library) {
  if (bytes.compare(0, SELFMAG, ELFMAG) != 0)
    return;  // a script: the programs that it starts are checked when they start
  if (bytes.find(library + '\0') != std::string::npos) return;
  const bool has_kernels = bytes.find(".nv_fatbin") != std::string::npos;
  if (const auto other = bytes.find("libcudart.so."); other != std::string::npos)
    throw Inconclusive(fmt::format("{}: built for {}, this is {}; build it with that toolkit", program.string(),
                                   bytes.c_str() + other, library));
  if (has_kernels)
    throw Inconclusive(
        fmt::format("{}: the CUDA runtime is linked into it; build it with nvcc -cudart shared", program.string()));
}

void set(const char* name, const std::string& value) {
  if (!value.empty()) ::setenv(name, value.c_str(), 1);
}

int run(const Arguments& arguments) {
  runtime::find_virtual_device(arguments.device);
  runtime::Settings settings;
  runtime::set_checks(settings, arguments.checks);
  static_cast<void>(runtime::FaultPlan(arguments.faults));
  const auto program = any_program::program_named(arguments.program.front());
  const auto bytes = read_file(program);
  const auto library = virtual_cudart(bytes);
  const auto folder = library.parent_path();
  require_shared_runtime(program, bytes, library.filename().string());
  if (!arguments.json.empty()) require_writable(arguments.json);
  const char* const path = std::getenv("LD_LIBRARY_PATH");
  set("LD_LIBRARY_PATH", path && *path ? fmt::format("{}:{}", folder.string(), path) : folder.string());
  set("ROOFLINE_VIRTUAL_DEVICE", arguments.device);
  set("ROOFLINE_VIRTUAL_CHECK", arguments.checks);
  set("ROOFLINE_VIRTUAL_FAULTS", arguments.faults);
  set("ROOFLINE_VIRTUAL_TABLE", arguments.quiet ? "0" : "1");
  if (!arguments.json.empty()) set("ROOFLINE_VIRTUAL_REPORT", fs::absolute(arguments.json).string());
  if (arguments.threads) set("ROOFLINE_VIRTUAL_THREADS", std::to_string(arguments.threads));
  std::vector<char*> argv;
  for (const auto& argument : arguments.program) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  throw FileError(fmt::format("{}: {}", program.string(), std::strerror(errno)));
}

void define(CLI::App& flags, Arguments& arguments) {
  flags
      .add_option("--device", arguments.device,
                  "a known device, as v100, a100, h100, h200, rtx4090, l4, or a device file")
      ->capture_default_str();
  flags.add_option("--sanitize", arguments.checks,
                   "memcheck,racecheck,initcheck,synccheck or all: also find these errors; racecheck takes one core");
  flags.add_option("--faults", arguments.faults,
                   "fail on purpose, as in malloc:3=out-of-memory,launch:5=illegal-address");
  flags.add_option("--json", arguments.json, "every number of every kernel")->capture_default_str();
  flags.add_option("--threads", arguments.threads, "cores of this machine; 0: all")->capture_default_str();
  flags.add_flag("--quiet", arguments.quiet, "no table at the end");
  flags.add_option("program", arguments.program, "and its arguments, after --")->required();
  flags.footer(
      "The program must be built with nvcc -cudart shared and contain PTX (nvcc's default). Its exit code is that of "
      "this command.\nExample: roofline gpu --device=a100 --sanitize=memcheck,racecheck -- ./vectorAdd 1000");
}

const Subcommand registered("gpu", "run any CUDA program on a virtual GPU: exact counts, errors found, no GPU", define,
                            run);

}  // namespace
}  // namespace roofline::cli::gpu_command
