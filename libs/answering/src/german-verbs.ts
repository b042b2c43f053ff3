/** What a German verb has before it that parts from it: `ein-ge-baut`, `an-zu-melden`. */
const PARTICLES =
  'ab|an|auf|aus|bei|ein|fest|frei|her|hin|los|mit|nach|statt|teil|um|unter|uber|vor|weg|weiter|zu|zuruck|zusammen';
const SEPARATED = new RegExp(`^(${PARTICLES})(?:ge(?=\\p{L}{2,}(?:t|en)$)|zu(?=\\p{L}{3,}n$))`, 'u');
/** What never parts: `ver-brechen`. */
const PREFIXES = `${PARTICLES}|be|ent|er|ver|zer|wider`;
/** Endings of a verb. */
const ENDS = '(?:e?n|e?t|e|e?te|e?ten|e?st)';
const ENDS_OF_VERB = new RegExp(`^${ENDS}$`, 'u');
const ACTION_NOUN = /^(\p{L}{4,})ung(?:en|s)?$/u;

/** Verbs whose vowel changes, each with the stems of its forms and of the nouns that are made of it, folded. */
const STRONG: readonly (readonly [verb: string, stems: string])[] = [
  ['schneid', 'schneid schnitt'],
  ['geh', 'geh gang gangen ging'],
  ['steh', 'steh stand standen'],
  ['nehm', 'nehm nahm nomm nimm nahme'],
  ['geb', 'geb gab gabe gib'],
  ['fahr', 'fahr fahrt fuhr'],
  ['zieh', 'zieh zug zog'],
  ['schreib', 'schreib schrieb schrift'],
  ['sprech', 'sprech sprach spruch sproch sprich'],
  ['tret', 'tret tritt trat'],
  ['komm', 'komm kam kunft kunfte'],
  ['schliess', 'schliess schluss schloss'],
  ['brech', 'brech bruch brach broch brich'],
  ['greif', 'greif griff'],
  ['werf', 'werf wurf warf worf wirf'],
  ['steig', 'steig stieg'],
  ['bind', 'bind band bund'],
  ['biet', 'biet bot'],
  ['heb', 'heb hob hub'],
  ['lad', 'lad lud'],
  ['lauf', 'lauf lief'],
  ['treff', 'treff traf troff triff'],
  ['find', 'find fand fund'],
  ['halt', 'halt hielt'],
  ['lass', 'lass liess'],
  ['ruf', 'ruf rief'],
  ['tun', 'tun tat tan'],
  ['weis', 'weis wies'],
];
const VERB_OF: ReadonlyMap<string, string> = new Map(
  STRONG.flatMap(([verb, stems]) => stems.split(' ').map((stem) => [stem, verb] as const)),
);
const STRONG_FORM = new RegExp(
  `^(${PREFIXES})(?:ge|zu)?(${[...VERB_OF.keys()].toSorted((a, b) => b.length - a.length).join('|')})(?:${ENDS}|er|es|s|ung|ungen)?$`,
  'u',
);

/** A folded word without what parts its particle from its verb: `eingebaut` as `einbaut`; as it is where it has none. */
export function joinedVerb(form: string): string {
  return form.replace(SEPARATED, '$1');
}

/** What forms of a strong verb with something before it, and its nouns, have in common: `mitschneiden`, `Mitschnitt`; undefined for any other word. */
export function strongVerb(form: string): string | undefined {
  const [, before, stem] = STRONG_FORM.exec(form) ?? [];
  return stem === undefined ? undefined : `${before}·${VERB_OF.get(stem)}`;
}

/** Whether a word is the noun for what a verb does in any of its forms: `Leitung` of `leitet`; without what parts particles. */
export function isActionOf(noun: string, verb: string): boolean {
  const done = ACTION_NOUN.exec(noun)?.[1];
  if (done === undefined) return false;
  const plain = verb.startsWith(`ge${done}`) ? verb.slice(2) : verb;
  return plain.startsWith(done) && ENDS_OF_VERB.test(plain.slice(done.length));
}
