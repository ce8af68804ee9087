// The reader's choices, and values that follow from them.
const levels = run.levels;
/// The name of a level: HBM where the file or the card has that.
const called = level => level === 'DRAM' ? run.memory_name : level;
const resources = ['compute', ...levels];
const families = run.families.map((family, index) => ({...family, index, kernels: []}));
const kernels = run.kernels.map((kernel, index) => ({...kernel, index}));
for (const kernel of kernels) families[kernel.family].kernels.push(kernel);

const precisions = [...new Set(run.ceilings.filter(c => c.compute && c.roof).map(c => c.precision))];
const ofTensor = ceiling => ceiling.precision.endsWith(' tensor');
/// "fp64", "fp16 tensor" in words: matrix instructions have units, and so peaks, of their own.
const peakText = precision => precision.replace(/^[a-z]+/, letters => letters.toUpperCase());
const outermost = [...levels].reverse().find(level => kernels.some(k => known(k.ai[level])) && level !== 'sysmem' && level !== 'shared')
  || levels[levels.length - 1] || 'DRAM';
/// The farthest level at which half of the kernels have bytes, because small problems mostly never leave the caches.
const placed = kernels.filter(k => k.rate > 0);
const usualLevel = [...levels].reverse().find(level => placed.length && placed.filter(k => known(k.ai[level])).length * 2 >= placed.length &&
  level !== 'sysmem' && level !== 'shared') || outermost;

const state = {
  level: usualLevel,  // of the intensity axis, or "all"
  precision: precisions.includes('fp64') ? 'fp64' : precisions[0] || 'fp64',
  hiddenCeilings: new Set(),
  family: null,  // isolated
  hover: null, picked: null,  // kernels
  zoom: null,
  names: 'ends',
  filter: '', sort: {key: 'n', down: false},
  scale: Object.fromEntries(resources.map(name => [name, 1])),
};

const scaled = () => resources.some(name => state.scale[name] !== 1);
const scaleOf = line => state.scale[line.compute ? 'compute' : line.level];

/// Lines that can be drawn, roofs and lower ceilings.
function lines() {
  const wanted = run.ceilings.filter(c => c.threads === run.threads && !c.sustained && known(c.rate) && c.rate > 0 &&
    (!c.compute || c.precision === state.precision || c.precision === state.precision + ' tensor'));
  const operations = {fma: 'FMA', nofma: 'no FMA', add: 'add', mul: 'mul', div: 'div', divfma: 'div+FMA', fma48div: '48 FMA and a div'};
  return wanted.map(c => {
    const detail = c.compute ? (c.ilp ? '' : ', one chain') + (c.roof || !c.isa ? '' : ', ' + c.isa) : c.roof ? '' : ' ' + c.mix;
    const text = c.compute ? `${peakText(c.precision)}${ofTensor(c) ? '' : ' ' + (operations[c.operation] || c.operation)}${detail}` : called(c.level) + detail;
    return {...c, text, shown: shows(c)};
  });
}
/// Roofs are shown unless they were switched off; the others when they were switched on.
function shows(ceiling) {
  const usual = ceiling.roof && (!ceiling.compute || ceiling.precision === state.precision && ['fma', 'nofma', 'div'].includes(ceiling.operation));
  return usual !== state.hiddenCeilings.has(ceiling.name);
}

/// Intensities at which a kernel is drawn: [level, FLOP/B].
function placesOf(kernel) {
  if (!known(kernel.rate) || kernel.rate <= 0) return [];
  const wanted = state.level === 'all' ? levels : [state.level];
  return wanted.filter(level => known(kernel.ai[level])).map(level => [level, kernel.ai[level]]);
}

/// Whether the filter of the table lets a kernel through: every word must be in its name, bound or marks.
function passes(kernel) {
  if (state.family !== null && kernel.family !== state.family) return false;
  const text = [kernel.name, kernel.marks, boundOf(kernel)].join(' ').toLowerCase();
  return state.filter.toLowerCase().split(/\s+/).every(word => text.includes(word));
}

const boundOf = kernel => kernel.bound_by ? called(kernel.bound_by) : kernel.bound;
const efficiencyOf = kernel => kernel.roof && kernel.roof.efficiency;
const mixOf = kernel => kernel.mix && kernel.mix.efficiency;

/// The effect of scaled ceilings on a kernel that keeps its efficiency: speed-up, and the bound after it.
function whatIf(kernel) {
  if (!kernel.shares.length) return null;
  const need = kernel.shares.map(r => ({name: r.name, now: r.share, then: r.share / state.scale[r.compute ? 'compute' : r.name]}));
  const now = Math.max(...need.map(r => r.now)), then = Math.max(...need.map(r => r.then));
  if (!(now > 0) || !(then > 0)) return null;
  return {speedup: now / then, bound: called(need.find(r => r.then === then).name), was: called(need.find(r => r.now === now).name)};
}

const listeners = [];
const onChange = listener => listeners.push(listener);
/// Takes a change and tells everyone what kind it was: "view", "hover", "pick", "filter", "scale".
function change(kind, values) {
  Object.assign(state, values);
  for (const listener of listeners) listener(kind);
}
