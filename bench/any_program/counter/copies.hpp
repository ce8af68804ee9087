// SPDX-License-Identifier: MIT
#pragma once
#include "bench/any_program/counter/decoded.hpp"
#include "bench/any_program/counter/writer.hpp"

/// The parts of a copy.
namespace roofline::any_program {

/// An instruction as it is; what it names by distance stays where it is. False: that is out of reach.
bool copy_instruction(Writer& w, const Decoded& d, Word pc);
void count(Writer& w, std::uint32_t record, bool flags_matter);
/// Adds the lanes that the mask lets through.
void count_lanes(Writer& w, const Decoded& d, std::uint32_t record);
/// Code that the program itself may write: the copy is of use only as long as the bytes are the same.
void check_bytes(Writer& w, Word pc, unsigned size);
/// The end of counting for this thread: the program's own code, with its own GS.
void go_native(Writer& w, Word pc);
void end_of_block(Writer& w, const Decoded& d, Word pc, Link* links, int& n, std::uint16_t& site, const Byte* begin,
                  bool& in_reach);
/// A link to code that has no copy yet: it goes to the translator, through a word that can be changed at once.
void finish_links(Writer& w, const Link* links, int n);
/// The jump at `link` leads to this code from now on.
void set_link(Word link, const Byte* code);

}  // namespace roofline::any_program
