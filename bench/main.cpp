#include "bench/run/application.hpp"

int main(int argc, char** argv) { return roofline::main(argc, argv); }
