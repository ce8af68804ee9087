#include "bench/ranks/node.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include "bench/text/clean.hpp"

namespace roofline {
namespace {

constexpr std::size_t longest_node_name = 128;

bool is_name_of_a_folder(const std::string& name) {
  return !name.empty() && name.size() <= longest_node_name && name != "." && name != ".." &&
         name.find_first_of("/\\") == name.npos && clean(name) == name;
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string usable(std::string name) {
  name = clean(name).substr(0, longest_node_name);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == '\\'; }, '-');
  return is_name_of_a_folder(name) ? name : "unnamed";
}

}  // namespace

std::string node_name(const Environment& variables) {
  for (const auto* const name : {node_variable, "SLURMD_NODENAME"})
    if (const auto found = variables.find(name); found != variables.end() && !found->second.empty())
      return usable(found->second);
  return usable(host_name());
}

std::string node_name() { return node_name(environment()); }

void require_node_name(const std::string& name) {
  if (!is_name_of_a_folder(name))
    throw std::invalid_argument(fmt::format("--node={}: a name of a folder is expected, of at most {} bytes",
                                            clean(name).substr(0, longest_node_name), longest_node_name));
}

std::string job_of(const Environment& variables) {
  const auto value = [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : clean(found->second);
  };
  auto job = value("SLURM_JOB_ID");
  if (const auto array = value("SLURM_ARRAY_JOB_ID"); !array.empty() && !value("SLURM_ARRAY_TASK_ID").empty())
    job = array + "_" + value("SLURM_ARRAY_TASK_ID");
  if (const auto step = value("SLURM_STEP_ID"); !job.empty() && !step.empty()) job += "." + step;
  for (const auto* const name : {"PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID", "PALS_APID", "TORCHELASTIC_RUN_ID"})
    if (job.empty()) job = value(name);
  return job;
}

}  // namespace roofline
