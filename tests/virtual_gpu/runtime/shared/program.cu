// A program as anybody would write it, for the library that stands in for libcudart.
#include <cstdio>
#include <cstdlib>

__device__ int launches;

__global__ void add(const double* a, const double* b, double* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) ++launches;
  if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char**) {
  constexpr int n = 1000;
  double *a, *b, *c;
  cudaMallocManaged(&a, n * sizeof *a), cudaMallocManaged(&b, n * sizeof *b), cudaMallocManaged(&c, n * sizeof *c);
  for (int i = 0; i < n; ++i) a[i] = i, b[i] = 2 * i;
  add<<<8, 128>>>(a, b, c, argc > 1 ? 2 * n : n);
  if (cudaDeviceSynchronize() != cudaSuccess) return std::printf("%s\n", cudaGetErrorString(cudaGetLastError())), 1;
  for (int i = 0; i < n; ++i)
    if (c[i] != 3 * i) return std::puts("wrong"), 1;
  int count = 0;
  cudaMemcpyFromSymbol(&count, launches, sizeof count);
  cudaArray_t array;
  const auto format = cudaCreateChannelDesc<float>();
  const auto refused = cudaMallocArray(&array, &format, 16);
  std::printf("right after %d launch; arrays: %s\n", count, cudaGetErrorName(refused));
}
