/**
 * The English stemmer of the Snowball project ("Porter2"), after the description at
 * https://snowballstem.org/algorithms/english/stemmer.html. Stems are terms, not words: `relational` gives `relat`.
 */

/** Irregular words, with the stem that is given instead of the rules' one. */
const SPECIAL = new Map<string, string>([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word): [string, string] => [word, word]),
]);

/** Words that are left alone once their plural is gone. */
const INVARIANT = new Set(['inning', 'outing', 'canning', 'herring', 'earring', 'proceed', 'exceed', 'succeed']);

type Rule = readonly [suffix: string, replacement: string];

/** Longest suffix first: the first rule whose suffix fits is the only one considered. */
const STEP_2: readonly Rule[] = [
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['iveness', 'ive'],
  ['ization', 'ize'],
  ['ousness', 'ous'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['tional', 'tion'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ation', 'ate'],
  ['entli', 'ent'],
  ['fulli', 'ful'],
  ['iviti', 'ive'],
  ['ogist', 'og'],
  ['ousli', 'ous'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['anci', 'ance'],
  ['ator', 'ate'],
  ['enci', 'ence'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', ''],
];
const STEP_3: readonly Rule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['ative', ''],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];
const STEP_4: readonly string[] = 'ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic'.split(
  ' ',
);

const VOWEL = /[aeiouy]/;
const SHORT_SYLLABLE_AT_END = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/;
const CONSONANT_AFTER_VOWEL = /[aeiouy][^aeiouy]/;

/** Where the region after the first consonant that follows a vowel begins, looking from `from`. */
function regionAfter(word: string, from: number): number {
  const found = CONSONANT_AFTER_VOWEL.exec(from === 0 ? word : word.slice(from));
  return found ? from + found.index + 2 : word.length;
}

function firstRegion(word: string): number {
  const prefix = /^(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)/.exec(word);
  return prefix ? prefix[0].length : regionAfter(word, 0);
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ied') || word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1);
  if (!word.endsWith('s') || word.endsWith('us') || word.endsWith('ss')) return word;
  return VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function withoutPastOrGerund(word: string, r1: number): string {
  const eed = /eed(?:ly)?$/.exec(word);
  if (eed) return eed.index >= r1 ? `${word.slice(0, eed.index)}ee` : word;
  const suffix = /(?:ingly|edly|ing|ed)$/.exec(word);
  if (!suffix) return word;
  const rest = word.slice(0, suffix.index);
  if (!VOWEL.test(rest)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/^[aeo](?:dd|ff|gg)$/.test(rest)) return rest;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) return rest.slice(0, -1);
  return rest.length <= r1 && SHORT_SYLLABLE_AT_END.test(rest) ? `${rest}e` : rest;
}

function step2(word: string, r1: number): string {
  for (const [suffix, replacement] of STEP_2) {
    if (!word.endsWith(suffix)) continue;
    const at = word.length - suffix.length;
    if (at < r1) return word;
    if (suffix === 'ogi' && word[at - 1] !== 'l') return word;
    if (suffix === 'li' && !/[cdeghkmnrt]/.test(word[at - 1] ?? '')) return word;
    return word.slice(0, at) + replacement;
  }
  return word;
}

function step3(word: string, r1: number, r2: number): string {
  for (const [suffix, replacement] of STEP_3) {
    if (!word.endsWith(suffix)) continue;
    const at = word.length - suffix.length;
    if (at < r1 || (suffix === 'ative' && at < r2)) return word;
    return word.slice(0, at) + replacement;
  }
  return word;
}

function step4(word: string, r2: number): string {
  for (const suffix of STEP_4) {
    if (!word.endsWith(suffix)) continue;
    const at = word.length - suffix.length;
    if (at < r2) return word;
    if (suffix === 'ion' && !/[st]/.test(word[at - 1] ?? '')) return word;
    return word.slice(0, at);
  }
  return word;
}

function step5(word: string, r1: number, r2: number): string {
  const at = word.length - 1;
  if (word.endsWith('e')) {
    const goes = at >= r2 || (at >= r1 && !SHORT_SYLLABLE_AT_END.test(word.slice(0, at)));
    return goes ? word.slice(0, at) : word;
  }
  return word.endsWith('ll') && at >= r2 ? word.slice(0, at) : word;
}

function applyRules(lower: string): string {
  let word = lower.replace(/^y|(?<=[aeiouy])y/g, 'Y');
  const r1 = firstRegion(word);
  const r2 = regionAfter(word, r1);
  word = withoutPlural(word);
  if (INVARIANT.has(word)) return word;
  word = withoutPastOrGerund(word, r1);
  word = word.replace(/(?<=.[^aeiouy])[yY]$/, 'i');
  word = step5(step4(step3(step2(word, r1), r1, r2), r2), r1, r2);
  return word.replaceAll('Y', 'y');
}

/** The stem of a lower-case word of the letters a to z; shorter than three letters it is the word itself. Pure. */
export function stemEnglish(word: string): string {
  return word.length < 3 ? word : (SPECIAL.get(word) ?? applyRules(word));
}
