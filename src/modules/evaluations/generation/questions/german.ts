import {
  askForDefinition,
  isSubject,
  listOf,
  openGap,
  tidy,
  withCapital,
  withoutCapital,
  words,
  type Gap,
  type MadeQuestion,
} from './question-rules.js';

const NUMBERS = 'zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf';
const UNITS = 'Sekunden?|Minuten?|Stunden?|Tage?n?|Wochen?|Monate?n?|Quartale?n?|Jahre?n?';
const MONTHS = '(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)(?: \\d{4})?';
const DATES = `(?:\\d{1,2}\\. ?)?${MONTHS}|(?:Jahre? )?(?:1[5-9]|20)\\d\\d|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch|\\d{1,2}\\.\\d{1,2}\\.\\d{4}`;

const GAPS: readonly Gap[] = [
  { pattern: words(`weil .+`), ask: 'warum' },
  {
    pattern: words(
      `alle (?:{N} )?(?:${UNITS})|jede[nsr]? (?:${UNITS})|(?:einmal|zweimal|{N}[- ]?mal) (?:im|pro|in der|am|jede[ns]?) (?:${UNITS})`,
      NUMBERS,
    ),
    ask: 'wie oft',
  },
  { pattern: words('täglich|wöchentlich|monatlich|vierteljährlich|halbjährlich|jährlich'), ask: 'wie oft' },
  { pattern: words(`seit (?:dem )?(?:${DATES})`), ask: 'seit wann' },
  { pattern: words(`bis (?:zum )?(?:${DATES})`), ask: 'bis wann' },
  { pattern: words(`ab (?:dem )?(?:${DATES})`), ask: 'ab wann' },
  { pattern: words('um \\d{1,2}(?:[.:]\\d\\d)? Uhr'), ask: 'um wie viel Uhr' },
  { pattern: words(`(?:am|im|vor|nach|vor dem|nach dem) (?:${DATES})`), ask: 'wann' },
  {
    pattern: words(`(innerhalb von|nach|bei|ab|bis zu|mit|vor) {N} (\\p{L}+)`, NUMBERS),
    ask: '$1 wie vielen $2',
  },
  // The third case alone, which ends in n: „in zwei Teile“ asks in other words.
  { pattern: words('(binnen|seit|aus|in|von) {N} (\\p{Lu}\\p{L}*n)', NUMBERS), ask: '$1 wie vielen $2' },
  { pattern: words(`(für|mindestens|höchstens) {N} (\\p{L}+)`, NUMBERS), ask: '$1 wie viele $2' },
  {
    pattern: words('von (?:der|dem|den|einer|einem) (?:\\p{Ll}+ )?\\p{Lu}\\p{L}+(?: (?:& )?\\p{Lu}[\\p{L}.-]*)*'),
    ask: 'von wem',
  },
  { pattern: words('{N} (?:€|CHF|EUR)', NUMBERS), ask: 'wie viel' },
  { pattern: words('{N} (Euro|Prozent|Geld|Dollar|Franken)', NUMBERS), ask: 'wie viel $1' },
  { pattern: words('{N} (?!Uhr)(\\p{Lu}\\p{L}+)', NUMBERS), ask: 'wie viele $1' },
];

const CLAUSE = new RegExp(
  '^([^,;:()„"]{3,120}?) (ist|sind|war|waren|wird|werden|wurde|wurden|kann|können|muss|müssen|darf|dürfen|soll|sollen|sollte|hat|haben|beträgt|betragen|' +
    'kostet|kosten|dauert|dauern|liegt|steht|gilt|gelten|beginnt|beginnen|endet|enden|erhält|erhalten|enthält|enthalten|öffnet|schließt|besteht|bestehen|' +
    'gehört|gehören|braucht|brauchen|benötigt|benötigen|zahlt|zahlen|wiegt|wiegen|umfasst|bekommt|bekommen|reicht|hält|läuft|misst|verfügt) (.{3,})$',
  'u',
);
const NOT_FIRST = listOf(
  'beim zum vom ins ans zur er sie es dies diese dieser dieses das wir ihr ich man hier dort da wenn weil obwohl aber und oder dann so daher dadurch dabei damit in im an am auf bei für von mit nach vor seit bis um aus zu zum zur während wer was wie warum wo auch nur nicht sein seine ihre andere beide als ab durch gegen ohne unter über laut gemäß innerhalb außerhalb trotz wegen statt sowohl je etwa rund fast heute seitdem eines einer einem einen jedoch inzwischen zudem pro nächste nächsten nächstes letzte letzten letztes vergangene vergangenen kommende kommenden jeden jedem diesen diesem ' +
    // Of what, is said in the sentence before: „Grund ist ein Leck“.
    'grund ursache anlass zweck ziel folge ergebnis voraussetzung bedingung grundlage hintergrund schwerpunkt thema ausnahme beispiel vorteil nachteil',
);
const NOT_WITHIN =
  / (?:dass|welche|welcher|welches|wenn|weil|nicht|wo) | (?:weitere[nrs]?|andere[nrs]?|solche[nrs]?|einzelne[nrs]?|und|oder|der|die|das|den|dem|des|ein|eine|mit|von|für|in) $/u;
const NOT_REMAINING =
  / (?:dass|welche|welcher|welches|wenn|weil|aber|sondern|während|als|mehr|der der|die die|und (?:ist|sind|war|waren|wird|werden|wurde|wurden|kann|können|muss|müssen|darf|dürfen|soll|sollen|hat|haben|beträgt|kostet|dauert|gilt|endet|beginnt)) | (?:und|oder|bis|der|die|das|den|dem|ein|eine|mit|von|in|gegen|ohne|für|binnen|seit|wegen|zwischen) $/u;
const LOWERED = listOf('der die das den ein eine jeder jede jedes alle kein keine unser unsere viele manche');
/** Sentences that begin with these may, in the third case, speak of something else than a person: „Das Gerät“ is meant, „Das ist“ is not. */
const DETERMINED = /^(?:Das|Dies(?:e[rs]?)?) \p{Lu}/u;

/** „Die Pumpe wird alle 500 Stunden gewartet“ → „Wie oft wird die Pumpe gewartet?“ */
export function askInGerman(sentence: string): MadeQuestion | undefined {
  const [, head = '', verb = '', rest = ''] = CLAUSE.exec(sentence) ?? [];
  const notFirst = DETERMINED.test(head) ? NONE : NOT_FIRST;
  if (
    verb === '' ||
    SAID_FIRST.test(head) ||
    rest.startsWith('es ') ||
    head.startsWith('Dies') ||
    !isSubject(head, notFirst, NOT_WITHIN)
  )
    return undefined;
  const subject = withoutCapital(head, LOWERED);
  if ((verb === 'ist' || verb === 'sind') && isDefinition(head, rest))
    return askForDefinition(`Was ${verb} ${subject}?`, rest);
  const opened = openGap(rest, GAPS, NOT_REMAINING);
  if (opened === undefined) return undefined;
  return {
    question: `${withCapital(opened.ask)} ${tidy(`${verb} ${subject} ${opened.remainder}`)}?`,
    answer: opened.answer,
  };
}

/** One word in front of a definite article may be an adjective: „Offen ist die Frist“ defines nothing. */
function isDefinition(head: string, rest: string): boolean {
  return /^eine? /u.test(rest) || (head.includes(' ') && /^(?:der|die|das) /u.test(rest));
}

/** „Verantwortlich ist …“: what begins the sentence is said of the subject behind the verb. */
const SAID_FIRST = /^\p{Lu}\p{L}+(?:lich|ig|isch|bar|sam|los|haft)$/u;

const NONE: ReadonlySet<string> = new Set();
