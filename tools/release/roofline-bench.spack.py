from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class RooflineBench(CMakePackage, CudaPackage):
    """Measured rooflines of CPUs and GPUs, with verified kernels next to the ceilings."""

    homepage = "https://example.org/roofline_bench"
    git = "https://example.org/roofline_bench.git"

    license("MIT")

    version("main", branch="main")
    version("0.2.0", tag="v0.2.0")

    variant("mpi", default=False, description="Build roofline_mpi")
    variant("any_program", default=False, description="Build the counter of `roofline cpu`")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("benchmark@1.7:1.9")
    depends_on("fmt")
    depends_on("nlohmann-json")
    depends_on("cli11")
    depends_on("hwloc")
    depends_on("zstd")
    depends_on("lz4")
    depends_on("mpi", when="+mpi")
    depends_on("zydis", when="+any_program")
    depends_on("elfutils", when="+any_program")
    depends_on("cuda@12:", when="+cuda")

    generator("ninja")
    conflicts("%gcc@:11", msg="C++20 needs GCC 12")

    def cmake_args(self):
        return [
            self.define("ROOFLINE_TESTS", False),
            self.define("ROOFLINE_ARCH", "native"),
            self.define_from_variant("ROOFLINE_CUDA", "cuda"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_MPI", self.spec.satisfies("~mpi")),
        ]
