#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace roofline::cluster {

/// Names as one text, sorted, each once, ranges of numbers at their ends folded and zeros in front kept:
/// "n[0004-0005,0017],x1". Slurm and Flux (RFC 29) read it. Names are those of hosts: see is_host_name().
std::string folded(const std::vector<std::string>& names);

/// What schedulers take: slurm and flux the folded form, pbs names with spaces between them, lines one a line.
inline constexpr std::string_view list_forms[] = {"slurm", "flux", "pbs", "lines"};

/// The content of a file in that form; empty without names. Throws std::invalid_argument for another form.
std::string node_list(const std::vector<std::string>& names, std::string_view form);

}  // namespace roofline::cluster
