#define ROOFLINE_BITS 256
#include "microkernels/cpu/isa_wide.hpp"
