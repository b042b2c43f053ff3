/** Words and openings that texts for readers do without: docs/glossary.md says what to write instead. */

/** In any place of a text. */
const BANNED = ['anew', 'so many', 'whoever', 'nobody', 'somebody', 'stands', 'goes by', 'of late'];
/** At the beginning of the description of a field, parameter or setting. */
const OPENINGS = ['How many', 'What it', 'Its ', 'Of '];

const ANYWHERE = new RegExp(`\\b(${BANNED.join('|')})\\b`, 'giu');
const AT_THE_BEGINNING = new RegExp(`^(${OPENINGS.join('|')})`, 'u');

/**
 * @typedef {object} Text
 * @property {string} place
 * @property {string} text
 * @property {boolean} isDescription Whether it describes one value.
 */

/** What a text says in banned words, as `place: word`. @param {Text} text */
export function bannedWords({ place, text, isDescription }) {
  const words = [...text.matchAll(ANYWHERE)].map(([word]) => word.toLowerCase());
  const [opening] = (isDescription ? AT_THE_BEGINNING.exec(text) : null) ?? [];
  return [...words, ...(opening === undefined ? [] : [`${opening.trim()} …`])].map((word) => `${place}: ${word}`);
}

/** Descriptions and summaries of an OpenAPI document with their JSON pointers. @param {unknown} value @returns {Text[]} */
export function descriptionsOf(value, pointer = '') {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const place = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const isText = typeof part === 'string' && (key === 'description' || key === 'summary');
    if (isText) return [{ place, text: part, isDescription: key === 'description' }];
    return descriptionsOf(part, place);
  });
}

/** A page of Markdown without its code. @param {string} place @param {string} markdown @returns {Text} */
export function proseOf(place, markdown) {
  const text = markdown
    .replaceAll(/^(```|~~~)[\s\S]*?^\1/gmu, '')
    .replaceAll(/\]\([^)]*\)/gu, ']')
    .replaceAll(/`[^`\n]*`/gu, '');
  return { place, text, isDescription: false };
}

/** Lines of a source that hold a comment, without its code. @param {{ path: string, text: string }} source @returns {Text[]} */
export function commentsOf({ path, text }) {
  return text.split('\n').flatMap((line, index) => {
    const [, whole, behind] = /^\s*(?:(\/\*.*|\*.*|\/\/.*)|.*[;,{}()\]] \/\/ (.*))$/u.exec(line) ?? [];
    const comment = (whole ?? behind ?? '').replaceAll(/`[^`]*`/gu, '');
    return comment === '' ? [] : [{ place: `${path}:${index + 1}`, text: comment, isDescription: false }];
  });
}
