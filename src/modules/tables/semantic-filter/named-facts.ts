import { foldWords } from './fact-schema.js';

const LANGUAGES: Readonly<Record<string, string>> = {
  ar: 'arabic arabisch arabe',
  cs: 'czech tschechisch checo',
  da: 'danish danisch danes',
  de: 'german deutsch aleman',
  el: 'greek griechisch griego',
  en: 'english englisch ingles',
  es: 'spanish spanisch espanol castellano',
  fi: 'finnish finnisch finlandes',
  fr: 'french franzosisch frances',
  he: 'hebrew hebraisch hebreo',
  hu: 'hungarian ungarisch hungaro',
  it: 'italian italienisch italiano',
  ja: 'japanese japanisch japones',
  ko: 'korean koreanisch coreano',
  nl: 'dutch niederlandisch neerlandes',
  no: 'norwegian norwegisch noruego',
  pl: 'polish polnisch polaco',
  pt: 'portuguese portugiesisch portugues',
  ro: 'romanian rumanisch rumano',
  ru: 'russian russisch ruso',
  sv: 'swedish schwedisch sueco',
  th: 'thai thailandisch tailandes',
  tr: 'turkish turkisch turco',
  uk: 'ukrainian ukrainisch ucraniano',
  vi: 'vietnamese vietnamesisch vietnamita',
  zh: 'chinese chinesisch chino mandarin',
};
const CODE_OF = new Map(Object.entries(LANGUAGES).flatMap(([code, names]) => names.split(' ').map((n) => [n, code])));
const IN_LANGUAGE =
  /^(?:(?:is|are|was|were|ist|sind|esta|es) )?(?:(?:written|drafted|composed|worded|verfasst|geschrieben|escrito|redactado) )?(?:in|auf|en) (?:the )?(\w+)(?: language)?(?: verfasst| geschrieben)?$/;
const OF_LANGUAGE =
  /^(?:(?:is|are|was) )?(?:an? )?(\w+)(?: language)?(?: (?:document|documents|text|texts|file|files|language))?$/;

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN = 'application/vnd.oasis.opendocument';
const TYPES: Readonly<Record<string, readonly string[]>> = {
  pdf: ['application/pdf'],
  csv: ['text/csv'],
  spreadsheet: [
    'text/csv',
    'text/tab-separated-values',
    `${OFFICE}.spreadsheetml.sheet`,
    'application/vnd.ms-excel',
    `${OPEN}.spreadsheet`,
    `${OPEN}.spreadsheet-flat-xml`,
  ],
  html: ['text/html'],
  'web page': ['text/html'],
  markdown: ['text/markdown'],
  json: ['application/json'],
  'word document': [`${OFFICE}.wordprocessingml.document`, 'application/msword'],
  'text file': ['text/plain'],
  'plain text file': ['text/plain'],
};
const OF_TYPE = /^(?:is|are) (?:an? )?(.+?)(?: (?:file|files|document))?$/;

/** The tag of the language that a clause asks for: “is written in German”, “German”; undefined where it asks for none. */
export function languageNamed(clause: string): string | undefined {
  const folded = foldWords(clause);
  const name = IN_LANGUAGE.exec(folded)?.[1] ?? OF_LANGUAGE.exec(folded)?.[1];
  if (name === undefined) return undefined;
  return CODE_OF.get(name) ?? (name in LANGUAGES && folded === name ? name : undefined);
}

/** The media types that a clause asks for: “is a PDF”. */
export function mediaTypesNamed(clause: string): readonly string[] | undefined {
  const folded = foldWords(clause);
  const name = OF_TYPE.exec(folded)?.[1] ?? '';
  const known = (text: string): readonly string[] | undefined => (Object.hasOwn(TYPES, text) ? TYPES[text] : undefined);
  return known(folded.replace(/^(?:is|are) (?:an? )?/, '')) ?? known(name);
}
