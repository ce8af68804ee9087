#include "apps/gsrb/whole_packs.hpp"

namespace roofline::gsrb {

template <class Operator, class Method>
Sweeping whole_pack_sweep(std::shared_ptr<Level> level, const Walk& walk) {
  switch (level->shape().n) {
    case 16:
      return whole_pack_sweep_of<Operator, Method, true, 16>(level, walk);
    case 32:
      return whole_pack_sweep_of<Operator, Method, true, 32>(level, walk);
    case 64:
      return whole_pack_sweep_of<Operator, Method, true, 64>(level, walk);
    default:
      return whole_pack_sweep_of<Operator, Method, true, 128>(level, walk);
  }
}

template Sweeping whole_pack_sweep<FourthOrder, Fp>(std::shared_ptr<Level>, const Walk&);
template Sweeping whole_pack_sweep<FourthOrder, Branch>(std::shared_ptr<Level>, const Walk&);
template Sweeping whole_pack_sweep<SevenPoint, Fp>(std::shared_ptr<Level>, const Walk&);
template Sweeping whole_pack_sweep<SevenPoint, Branch>(std::shared_ptr<Level>, const Walk&);

}  // namespace roofline::gsrb
