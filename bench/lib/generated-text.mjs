const SYLLABLES = ['ba', 'ce', 'di', 'fo', 'gu', 'la', 'me', 'ni', 'po', 'ru', 'sa', 'te', 'vi', 'xo', 'zu'];

/** Made-up prose of some `length` characters. The same number always gives the same text. */
export function generatedText(seed, length) {
  let state = seed * 2_654_435_761 + 1;
  const next = (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % limit;
  };
  const word = () => Array.from({ length: 1 + next(4) }, () => SYLLABLES[next(SYLLABLES.length)]).join('');
  let text = `Document ${seed}\n\n`;
  while (text.length < length) text += `${Array.from({ length: 8 + next(8) }, word).join(' ')}. `;
  return text;
}

/** A Markdown file of sections with lists, of at least `bytes`; another `seed` gives another text. */
export function largeMarkdown(bytes, seed = 0) {
  const parts = [];
  for (let size = 0, n = 0; size < bytes; n += 1) {
    const part = `## Section ${n}\n\n${generatedText(seed + n, 1_500)}\n\n- first point ${n}\n- second point ${n}\n\n`;
    parts.push(part);
    size += part.length;
  }
  return `# Large\n\n${parts.join('')}`;
}
