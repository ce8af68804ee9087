// The words of the glossary, explained where they stand: the first of each in a section.
/// How a word is spelt in texts, where that is not the word itself.
const spellings = {
  'canonical account': 'canonical(?: account)?',
  chain: 'ILP|chains?',
  round: 'rounds?(?! robin)',
  sample: 'samples?',
  'clean .. dirty': 'clean ?(?:\\.\\.|and) ?dirty',
  issue: 'issue(?: slots)?',
  'round robin .. greedy': 'round robin(?: ?(?:\\.\\.|and) ?greedy)?|greedy',
  nofma: 'nofma|no.FMA',
  set: 'set:\\w+',
  chunks: 'chunks?',
  fma: 'fma(?!\\+)',
  'fma+mul+div': 'fma\\+mul(?:\\+div)?',
  share: '[Ss]hares? of (?:the|its|their) roofs?',
  variant: 'variants?',
};
const spelt = run.words.map(([w]) => {
  const plain = spellings[w] || w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return /^[a-z]/.test(plain) && !spellings[w] ? `[${plain[0].toUpperCase()}${plain[0]}]${plain.slice(1)}` : plain;
});
// Names of rows have slashes between their words; only a set may follow one.
const wordPattern = new RegExp(`(?<![\\w.:-])(?:${spelt.map((s, i) => (run.words[i][0] === 'set' ? '' : '(?<!\\/)') + `(${s})`).join('|')})(?![\\w/-]|:\\S)`, 'g');
const noExplanations = 'a, button, label, select, svg, script, style, h1, h2, .word, #words';

/// Gives the first of each word below `root` its explanation. Inside buttons a word cannot take the focus of its own.
function explainWords(root, {inButtons = false} = {}) {
  const seen = new Set([...root.querySelectorAll('[data-word]')].map(node => node.dataset.word));
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), found = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    wordPattern.lastIndex = 0;
    for (let match; (match = wordPattern.exec(node.data));) {
      const key = run.words[match.slice(1).findIndex(group => group !== undefined)][0];
      const button = inButtons && node.parentNode.closest('button');
      if (seen.has(key) || (node.parentNode.closest(noExplanations) && !button)) continue;
      seen.add(key), found.push({node, key, at: match.index, text: match[0], button});
    }
  }
  for (const {node, key, at, text, button} of found.reverse()) {  // from the end, so that places before it stay
    const rest = node.splitText(at);
    rest.data = rest.data.slice(text.length);
    rest.before(button ? html('span', {class: 'word', 'data-word': key}, text) : word(text, key));
  }
}
