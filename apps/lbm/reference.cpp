#include "apps/lbm/reference.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace roofline::lbm::reference {
namespace {

/// The lattice from its definition: all integer vectors with |c|^2 <= 10, and weights that reproduce the moments of a
/// Gaussian, <x^i y^j> = (i - 1)!! (j - 1)!!.
struct Quadrature {
  struct Vector {
    double x, y, w;
  };
  std::vector<Vector> c;

  Quadrature() {
    constexpr int shells = 8, moments[shells][2] = {{0, 0}, {2, 0}, {4, 0}, {2, 2}, {6, 0}, {4, 2}, {6, 2}, {4, 4}};
    constexpr int squares[shells] = {0, 1, 2, 4, 5, 8, 9, 10};
    constexpr double gauss[] = {1, 0, 1, 0, 3, 0, 15};
    constexpr long double step = 1.19697977039307435897239L;
    // matrix w = target, one unknown per shell
    long double matrix[shells][shells + 1] = {};
    for (int row = 0; row < shells; ++row) {
      const auto [i, j] = std::pair(moments[row][0], moments[row][1]);
      for (int x = -3; x <= 3; ++x)
        for (int y = -3; y <= 3; ++y)
          for (int shell = 0; shell < shells; ++shell)
            if (x * x + y * y == squares[shell]) matrix[row][shell] += std::pow(step * x, i) * std::pow(step * y, j);
      matrix[row][shells] = gauss[i] * gauss[j];
    }
    for (int k = 0; k < shells; ++k) {  // Gauss-Jordan with pivoting
      int pivot = k;
      for (int row = k; row < shells; ++row)
        if (std::abs(matrix[row][k]) > std::abs(matrix[pivot][k])) pivot = row;
      std::swap(matrix[k], matrix[pivot]);
      for (int row = 0; row < shells; ++row) {
        const long double factor = matrix[row][k] / matrix[k][k];
        for (int col = k; row != k && col <= shells; ++col) matrix[row][col] -= factor * matrix[k][col];
      }
    }
    for (int x = 3; x >= -3; --x)
      for (int y = -3; y <= 3; ++y)
        for (int shell = 0; shell < shells; ++shell)
          if (x * x + y * y == squares[shell])
            c.push_back({static_cast<double>(step * x), static_cast<double>(step * y),
                         static_cast<double>(matrix[shell][shells] / matrix[shell][shell])});
  }
};

const Quadrature& lattice() {
  static const Quadrature quadrature;
  return quadrature;
}

/// The Hermite tensors of one velocity.
struct Hermites {
  double xx, xy, yy, xxx, xxy, xyy, yyy, xxxx, xxxy, xxyy, xyyy, yyyy;

  Hermites(double x, double y)
      : xx(x * x - 1),
        xy(x * y),
        yy(y * y - 1),
        xxx(x * x * x - 3 * x),
        xxy(x * x * y - y),
        xyy(x * y * y - x),
        yyy(y * y * y - 3 * y),
        xxxx(x * x * x * x - 6 * x * x + 3),
        xxxy(x * x * x * y - 3 * x * y),
        xxyy(x * x * y * y - x * x - y * y + 1),
        xyyy(x * y * y * y - 3 * x * y),
        yyyy(y * y * y * y - 6 * y * y + 3) {}
};

/// Moments of order 0 to 4 of a site, and their contractions with the Hermite tensors.
struct Projection {
  double o = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0, xxx = 0, xxy = 0, xyy = 0, yyy = 0;
  double xxxx = 0, xxxy = 0, xxyy = 0, xyyy = 0, yyyy = 0;

  explicit Projection(const Site& f) {
    for (int i = 0; i < populations; ++i) {
      const auto& c = lattice().c[i];
      const Hermites h(c.x, c.y);
      o += f[i], x += f[i] * c.x, y += f[i] * c.y;
      xx += f[i] * h.xx, xy += f[i] * h.xy, yy += f[i] * h.yy;
      xxx += f[i] * h.xxx, xxy += f[i] * h.xxy, xyy += f[i] * h.xyy, yyy += f[i] * h.yyy;
      xxxx += f[i] * h.xxxx, xxxy += f[i] * h.xxxy, xxyy += f[i] * h.xxyy, xyyy += f[i] * h.xyyy;
      yyyy += f[i] * h.yyyy;
    }
  }
  double order2(const Hermites& h) const { return xx * h.xx + 2 * xy * h.xy + yy * h.yy; }
  double order3(const Hermites& h) const { return xxx * h.xxx + 3 * xxy * h.xxy + 3 * xyy * h.xyy + yyy * h.yyy; }
  double order4(const Hermites& h) const {
    return xxxx * h.xxxx + 4 * xxxy * h.xxxy + 6 * xxyy * h.xxyy + 4 * xyyy * h.xyyy + yyyy * h.yyyy;
  }
};

/// The parts of order 2, 3 and 4 of the equilibrium, as functions of s = c.u, m = |u|^2, q = |c|^2, t = T - 1.
double equilibrium2(double s, double m, double q, double t) { return s * s - m + t * (q - 2); }
double equilibrium3(double s, double m, double q, double t) { return s * (s * s - 3 * m + 3 * t * (q - 4)); }
double equilibrium4(double s, double m, double q, double t) {
  return 24 * ((s * s * s * s - 6 * s * s * m + 3 * m * m) / 24 + t / 4 * ((q - 4) * (s * s - m) - 2 * s * s) +
               t * t / 8 * (q * q - 8 * q + 8));
}

}  // namespace

Macroscopic macroscopic(const Site& f) {
  Macroscopic m{0, 0, 0, 0};
  for (int i = 0; i < populations; ++i) {
    const auto& c = lattice().c[i];
    m.rho += f[i], m.ux += f[i] * c.x, m.uy += f[i] * c.y;
  }
  m.ux /= m.rho, m.uy /= m.rho;
  for (int i = 0; i < populations; ++i) {
    const auto& c = lattice().c[i];
    m.temperature += ((c.x - m.ux) * (c.x - m.ux) + (c.y - m.uy) * (c.y - m.uy)) * f[i] / (2 * m.rho);
  }
  return m;
}

Site equilibrium(const Macroscopic& state) {
  Site f;
  const double m = state.ux * state.ux + state.uy * state.uy, t = state.temperature - 1;
  for (int i = 0; i < populations; ++i) {
    const auto& c = lattice().c[i];
    const double s = c.x * state.ux + c.y * state.uy, q = c.x * c.x + c.y * c.y;
    f[i] = c.w * state.rho *
           (1 + s + equilibrium2(s, m, q, t) / 2 + equilibrium3(s, m, q, t) / 6 + equilibrium4(s, m, q, t) / 24);
  }
  return f;
}

Site collide(const Site& in, bool bulk, const Fluid& fluid) {
  auto [rho, ux, uy, temperature] = macroscopic(in);
  const double tau1 = bulk ? 0.5 + fluid.k1 / (rho * temperature) : fluid.tau1_wall;
  const double tau2 = bulk ? 0.5 + fluid.k2 / (rho * temperature) : fluid.tau2_wall;
  const double tau3 = 0.5 + fluid.k3;
  const double fx = fluid.fx, fy = fluid.gy * rho;
  ux += fx * tau1 / rho, uy += fy * tau1 / rho;
  temperature += (1 - tau1) * tau1 * (fx * fx + fy * fy) / (2 * rho * rho);
  const double m = ux * ux + uy * uy, t = temperature - 1;

  const Projection p(in);
  Site relaxed;
  for (int i = 0; i < populations; ++i) {
    const auto& c = lattice().c[i];
    const Hermites h(c.x, c.y);
    const double s = c.x * ux + c.y * uy, q = c.x * c.x + c.y * c.y;
    relaxed[i] = in[i] - c.w * (-(fx * c.x + fy * c.y) + (p.order2(h) - rho * equilibrium2(s, m, q, t)) / (2 * tau1) +
                                (p.order3(h) - rho * equilibrium3(s, m, q, t)) / (6 * tau2) +
                                (p.order4(h) - rho * equilibrium4(s, m, q, t)) / (24 * tau3));
  }

  const Projection q(relaxed);
  Site out;
  for (int i = 0; i < populations; ++i) {
    const auto& c = lattice().c[i];
    const Hermites h(c.x, c.y);
    out[i] = c.w * (q.o + q.x * c.x + q.y * c.y + q.order2(h) / 2 + q.order3(h) / 6 + q.order4(h) / 24);
  }
  return out;
}

Site rest(const Site& in, double temperature) {
  double rho = 0, jx = 0, jy = 0, energy = 0;
  for (int i = 0; i < populations; ++i) {
    const auto& c = lattice().c[i];
    rho += in[i], jx += in[i] * c.x, jy += in[i] * c.y, energy += in[i] * (c.x * c.x + c.y * c.y) / 2;
  }
  Site out;
  for (int i = 0; i < populations; ++i) {
    const auto& c = lattice().c[i];
    out[i] = in[i] + c.w * ((rho * temperature - energy) * ((c.x * c.x + c.y * c.y) / 2 - 1) - jx * c.x - jy * c.y);
  }
  return out;
}

}  // namespace roofline::lbm::reference
