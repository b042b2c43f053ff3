/** An encoding that a file without a mark may have, and the languages that are written in it. */
export interface CharsetCandidate {
  /** What `createDecoder` takes. */
  readonly name: string;
  readonly languages: readonly string[];
  /** Natural logarithm of how much rarer it is met than the most common encoding of its languages. */
  readonly rarity: number;
}

const WESTERN = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'nb', 'fi', 'is', 'ca'];
const CENTRAL = ['pl', 'cs', 'sk', 'hu', 'ro', 'hr', 'de'];
const BALTIC = ['et', 'lv', 'lt'];
const ALL_CYRILLIC = ['ru', 'uk', 'bg', 'sr', 'be'];

/**
 * Encodings of one byte per character, whose lower half is ASCII. Where two of them read a text alike, the first one is
 * named. windows-1252 is used for ISO-8859-1 and windows-1254 for ISO-8859-9, as in the encoding standard.
 */
export const SINGLE_BYTE_CANDIDATES: readonly CharsetCandidate[] = [
  { name: 'windows-1252', languages: WESTERN, rarity: 0 },
  { name: 'windows-1251', languages: ALL_CYRILLIC, rarity: 0 },
  { name: 'windows-1250', languages: CENTRAL, rarity: -0.5 },
  { name: 'windows-1253', languages: ['el'], rarity: -0.5 },
  { name: 'windows-1254', languages: ['tr'], rarity: -0.5 },
  { name: 'windows-1255', languages: ['he'], rarity: -0.5 },
  { name: 'windows-1256', languages: ['ar', 'fa'], rarity: -0.5 },
  { name: 'windows-1257', languages: BALTIC, rarity: -0.5 },
  { name: 'windows-1258', languages: ['vi'], rarity: -1 },
  { name: 'windows-874', languages: ['th'], rarity: 0 },
  { name: 'iso-8859-2', languages: CENTRAL, rarity: -1.5 },
  { name: 'iso-8859-15', languages: WESTERN, rarity: -2.5 },
  { name: 'iso-8859-7', languages: ['el'], rarity: -1.5 },
  { name: 'iso-8859-8', languages: ['he'], rarity: -1.5 },
  { name: 'iso-8859-6', languages: ['ar'], rarity: -1.5 },
  { name: 'iso-8859-5', languages: ALL_CYRILLIC, rarity: -2.5 },
  { name: 'iso-8859-13', languages: BALTIC, rarity: -1.5 },
  { name: 'iso-8859-4', languages: BALTIC, rarity: -3 },
  { name: 'iso-8859-3', languages: ['eo', 'tr'], rarity: -5 },
  { name: 'koi8-r', languages: ['ru', 'bg'], rarity: -1 },
  { name: 'koi8-u', languages: ['uk', 'be', 'ru'], rarity: -1.5 },
  { name: 'ibm866', languages: ['ru', 'uk', 'bg', 'be'], rarity: -1.5 },
  { name: 'x-mac-cyrillic', languages: ALL_CYRILLIC, rarity: -3 },
  { name: 'cp855', languages: ALL_CYRILLIC, rarity: -4.5 },
  { name: 'macintosh', languages: WESTERN, rarity: -3.5 },
  { name: 'cp850', languages: WESTERN, rarity: -3.5 },
  { name: 'cp437', languages: WESTERN, rarity: -4 },
  { name: 'cp852', languages: CENTRAL, rarity: -4 },
  { name: 'cp737', languages: ['el'], rarity: -5 },
  { name: 'cp857', languages: ['tr'], rarity: -5 },
  { name: 'cp862', languages: ['he'], rarity: -5 },
  { name: 'cp775', languages: BALTIC, rarity: -5.5 },
  { name: 'maccenteuro', languages: ['pl', 'cs', 'sk', 'hu', ...BALTIC], rarity: -5.5 },
  { name: 'macgreek', languages: ['el'], rarity: -6 },
  { name: 'macturkish', languages: ['tr'], rarity: -6 },
];

/** Encodings of one to four bytes per character. */
export const MULTI_BYTE_CANDIDATES: readonly CharsetCandidate[] = [
  { name: 'shift_jis', languages: ['ja'], rarity: 0 },
  { name: 'euc-jp', languages: ['ja'], rarity: -0.5 },
  { name: 'gb18030', languages: ['zh-Hans', 'zh-Hant'], rarity: 0 },
  { name: 'big5', languages: ['zh-Hant'], rarity: 0 },
  { name: 'euc-kr', languages: ['ko'], rarity: 0 },
];
