#pragma once
#include <string>

#include "bench/ranks/place.hpp"

namespace roofline {

/// The variable that names this node, and that --node sets: ROOFLINE_NODE.
inline constexpr const char* node_variable = "ROOFLINE_NODE";

/// The name of this node: ROOFLINE_NODE, else SLURMD_NODENAME, else what gethostname() says. Part of the names of files
/// and folders: what cannot stand in one is replaced by '-'.
std::string node_name(const Environment& variables);
std::string node_name();

/// What --node takes: a name of one folder, without control characters. Throws std::invalid_argument.
void require_node_name(const std::string& name);

/// The scheduler's number of this job, with array task and step: "1234_7.0"; empty: no scheduler tells one.
std::string job_of(const Environment& variables);

}  // namespace roofline
