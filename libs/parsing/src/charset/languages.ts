import { CharacterClass } from './character-classes.js';
import { CYRILLIC_SAMPLES } from './languages/cyrillic-samples.js';
import { FREQUENT_CHARACTERS } from './languages/east-asian-samples.js';
import { EASTERN_SAMPLES } from './languages/eastern-samples.js';
import { OTHER_SAMPLES } from './languages/other-samples.js';
import { WESTERN_SAMPLES } from './languages/western-samples.js';
import { IdeographModel, type CharsetLevels } from './ideograph-model.js';
import { AlphabetModel, type LanguageModel } from './language-model.js';

const ALPHABETS: Readonly<Record<string, string>> = {
  ...WESTERN_SAMPLES,
  ...EASTERN_SAMPLES,
  ...CYRILLIC_SAMPLES,
  ...OTHER_SAMPLES,
};

/** Scripts of the languages that are not written in Latin letters. */
const SCRIPTS: Readonly<Record<string, CharacterClass>> = {
  ...Object.fromEntries(Object.keys(CYRILLIC_SAMPLES).map((language) => [language, CharacterClass.cyrillic])),
  el: CharacterClass.greek,
  he: CharacterClass.hebrew,
  ar: CharacterClass.arabic,
  fa: CharacterClass.arabic,
  th: CharacterClass.thai,
};

const LEVELS: Readonly<Record<keyof typeof FREQUENT_CHARACTERS, CharsetLevels>> = {
  'zh-Hans': { encoding: 'gb18030', first: [0xb0, 0xd7], second: [0xd8, 0xf7], trail: 0xa1 },
  'zh-Hant': { encoding: 'big5', first: [0xa4, 0xc6], second: [0xc9, 0xf9], trail: 0x40 },
  ja: { encoding: 'euc-jp', first: [0xb0, 0xcf], second: [0xd0, 0xf4], trail: 0xa1 },
  ko: { encoding: 'euc-kr', first: [0xb0, 0xc8], second: [0xca, 0xfd], trail: 0xa1 },
};

/** Natural logarithms of how much rarer a language is met than the others. */
const RARITY: Readonly<Record<string, number>> = { eo: -6, is: -2, ca: -1, sk: -1, be: -2, fa: -1, vi: -1 };

/** Every language that there is a model of, as BCP 47 codes. */
export const MODELLED_LANGUAGES: readonly string[] = [...Object.keys(ALPHABETS), ...Object.keys(FREQUENT_CHARACTERS)];

const models = new Map<string, LanguageModel>();

/** The model of a language, made at its first use. */
export function modelOf(language: string): LanguageModel {
  let model = models.get(language);
  if (model === undefined) {
    model = makeModel(language);
    models.set(language, model);
  }
  return model;
}

/** Added to the score of a text that is read as this language. */
export function rarityOf(language: string): number {
  return RARITY[language] ?? 0;
}

/** Whether a language is written in Latin letters. */
export function isLatinLanguage(language: string): boolean {
  return Object.hasOwn(ALPHABETS, language) && !Object.hasOwn(SCRIPTS, language);
}

function makeModel(language: string): LanguageModel {
  const sample = ALPHABETS[language];
  if (sample !== undefined)
    return new AlphabetModel(withToneMarks(language, sample), SCRIPTS[language] ?? CharacterClass.latin);
  const key = language as keyof typeof FREQUENT_CHARACTERS;
  return new IdeographModel(FREQUENT_CHARACTERS[key], LEVELS[key]);
}

const TONES = /[\u0300\u0301\u0303\u0309\u0323]/g;
const TONE = '[\u0300\u0301\u0303\u0309\u0323]';

/** Vietnamese as windows-1258 writes it, with the marks of tones behind their letters: all of them, and those that must be. */
function withToneMarks(language: string, sample: string): string {
  if (language !== 'vi') return sample;
  const divided = [...sample.normalize('NFC')].map((letter) => {
    const parts = letter.normalize('NFD');
    const tones = parts.match(TONES)?.join('') ?? '';
    return parts.replaceAll(TONES, '').normalize('NFC') + tones;
  });
  const all = divided.join('');
  return `${all} ${all.replaceAll(new RegExp(`([aeouAEOU]\u0300|[aeiouAEIOU]\u0301)(?!${TONE})`, 'g'), (pair) => pair.normalize('NFC'))}`;
}
