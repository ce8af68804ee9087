#include "reporters/plot_style.hpp"

namespace roofline {

std::string level_class(std::string_view prefix, MemoryLevel level) {
  return std::string(prefix) + std::string(name(level));
}

const std::string_view plot_style = R"(text{font-family:"DejaVu Sans",Verdana,Helvetica,Arial,sans-serif;fill:#222}
.paper{fill:#fff}.frame{fill:none;stroke:#555;stroke-width:1}
.grid{stroke:#d5d5d5;stroke-width:.9}.minor{stroke:#eeeeee;stroke-width:.7}
.tick{fill:#444}.axis{fill:#222}.title,.heading{font-weight:bold}.small{fill:#333}.note{fill:#555}
.roof{stroke-width:2.2;stroke-linecap:round}.thin{stroke-width:1.1;stroke-dasharray:5 3}
.join{fill:none;stroke-width:1.3;stroke-opacity:.75}.levels{stroke:#aaa;stroke-width:.8}
.bar{stroke-width:1.4}.leader{stroke:#888;stroke-width:.7}.rule{stroke:#bbb;stroke-width:.8}
.key{fill:#fff;fill-opacity:.85;stroke:#ccc;stroke-width:.7}.faint{fill-opacity:.6;stroke:none}
.halo{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}.label{fill:#222}
.sL1{stroke:#1f77b4}.sL2{stroke:#2ca02c}.sL3{stroke:#ff7f0e}.sDRAM{stroke:#d62728}.scompute{stroke:#333}
.tL1{fill:#1a6396}.tL2{fill:#217a21}.tL3{fill:#b85800}.tDRAM{fill:#b01f20}.tcompute{fill:#222}
.fL1{fill:#1f77b4}.fL2{fill:#2ca02c}.fL3{fill:#ff7f0e}.fDRAM{fill:#d62728}.fnone{fill:#555}
.fL1,.fL2,.fL3,.fDRAM{stroke:#fff;stroke-width:.7}
.hL1{stroke:#1f77b4}.hL2{stroke:#2ca02c}.hL3{stroke:#ff7f0e}.hDRAM{stroke:#d62728}.hnone{stroke:#555}
.hL1,.hL2,.hL3,.hDRAM,.hnone{fill:#fff;stroke-width:1.5}
)";

}  // namespace roofline
