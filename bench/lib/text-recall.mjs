/** How much of an expected text a text holds. */

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const SCRIPT_WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Share of the expected words that occur in the text, each as often as it is expected; 1 when nothing is expected. */
export function tokenRecall(expected, text) {
  const wanted = tokensOf(withoutMarkup(expected));
  const found = new Map();
  for (const token of tokensOf(text)) found.set(token, (found.get(token) ?? 0) + 1);
  let hits = 0;
  for (const token of wanted) {
    const left = found.get(token) ?? 0;
    if (left === 0) continue;
    found.set(token, left - 1);
    hits += 1;
  }
  return wanted.length === 0 ? 1 : hits / wanted.length;
}

/** Whether two texts are the same but for white space and byte order marks. */
export function sameText(expected, text) {
  const plain = (words) => words.replaceAll('\uFEFF', '').replace(/\s+/g, ' ').trim();
  return plain(expected) === plain(text);
}

/** Words in small letters; texts without spaces give their characters. */
function tokensOf(text) {
  const words = text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
  return words.flatMap((word) => (SCRIPT_WITHOUT_SPACES.test(word) ? [...word] : [word]));
}

/** Markdown names its images, writes comments and escapes; none of that is text of the document. */
function withoutMarkup(markdown) {
  return markdown
    .replace(/<!--[^]*?-->/g, ' ')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replace(/\]\([^)\s]*\)/g, '] ')
    .replace(/\\([\\`*_{}[\]()#+\-.!|<>~])/g, '$1')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
}
