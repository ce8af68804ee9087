#define ROOFLINE_BITS 512
#include "microkernels/cpu/isa_wide.hpp"
