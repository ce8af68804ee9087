// Instructions that the decoder puts in by itself.
#pragma once

#include "bench/virtual_gpu/parse/program.hpp"

namespace roofline::ptx {

/// Stands where an unsupported instruction is; never reached, launches are refused before.
Execute unknown_instruction();
/// immediate: target block.
Execute plain_branch();
/// list: words of the arguments; d: number of the function. A direct call.
Execute direct_call();
/// a: slot of the function's address; else as a direct call.
Execute indirect_call();
/// size: Builtin; list: words of the arguments. Results go to the argument area.
Execute builtin_call();
/// The end of a device function; d: its number.
Execute function_return();
/// list: slots that take the words of the argument area, behind a call.
Execute take_results();
/// d <- address of local memory of a recursive function; a: its number, immediate: offset.
Execute recursive_local();
/// All lanes of d <- the scalar a; flags 1: 8 bytes.
Execute broadcast();
/// Runs `inner` in the lanes whose guard is true.
Execute guarded();

}  // namespace roofline::ptx
