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

const NUMBERS = 'deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze';
const UNITS = 'secondes?|minutes?|heures?|jours?|semaines?|mois|trimestres?|ans?|années?';
const MONTHS = '(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)(?: \\d{4})?';
const DATES = `(?:(?:1er|\\d{1,2}) )?${MONTHS}|(?:1[5-9]|20)\\d\\d`;
const COUNTED = '(?:{N}) ((?:[\\p{Ll}-]+))';

const GAPS: readonly Gap[] = [
  { pattern: words("parce qu(?:e |’|').+|en raison d.+"), ask: 'pourquoi' },
  {
    pattern: words(
      `(?:tous|toutes) les (?:{N} )?(?:${UNITS})|chaque (?:${UNITS})|(?:une|{N}) fois par (?:${UNITS})`,
      NUMBERS,
    ),
    ask: 'à quelle fréquence',
  },
  { pattern: words(`depuis (?:le )?(?:${DATES})`), ask: 'depuis quand' },
  { pattern: words(`jusqu(?:’|')(?:au|en) (?:${DATES})`), ask: 'jusqu’à quand' },
  { pattern: words('à \\d{1,2} ?(?:h(?: ?\\d\\d)?|heures)'), ask: 'à quelle heure' },
  { pattern: words(`(?:en|le|avant le|après le) (?:${DATES})`), ask: 'quand' },
  {
    pattern: words(`(dans un délai de|après|pendant|sous|à|pour|avec) ${COUNTED}`, NUMBERS),
    ask: '$1 combien de $2',
  },
  { pattern: words("par (?:le |la |les |l’|l'|un |une )(?:[\\p{Ll}-]+)"), ask: 'par qui' },
  { pattern: words(COUNTED, NUMBERS), ask: 'combien de $1' },
];

const VERB_OF_DEFINITION = /^([^,;:()«"]{3,100}?) (est|sont) ((?:une? |l[ae] |les |des |l[’']).{3,})$/u;
const FIRST = listOf('le la les un une des chaque tous toutes tout toute notre nos votre vos aucun aucune l');
const NOT_WITHIN =
  / (?:qui|que|dont|où|si|quand|ne|pas|mais|il|elle|ils|elles|plus) | qu[’']| n[’']| (?:et|ou|de|du|des|le|la|les|un|une|à) $/u;

/** « La pompe est révisée toutes les 500 heures » → « À quelle fréquence est-ce que la pompe est révisée ? » */
export function askInFrench(sentence: string): MadeQuestion | undefined {
  const [first = ''] = sentence.toLowerCase().split(/[ '’]/u, 1);
  if (!FIRST.has(first)) return undefined;
  const defined = VERB_OF_DEFINITION.exec(sentence);
  if (defined !== null && isSubject(defined[1]!, new Set(), NOT_WITHIN))
    return askForDefinition(`Qu’est-ce ${that(withoutCapital(defined[1]!, FIRST))} ?`, defined[3]!);
  const opened = openGap(sentence, GAPS, NOT_WITHIN);
  if (opened === undefined) return undefined;
  // What is asked for must be behind the verb: at the very beginning it is the subject.
  if (opened.remainder.split(' ').length < 3 || !sentence.startsWith(opened.remainder.split(' ', 2).join(' ')))
    return undefined;
  const core = withoutCapital(opened.remainder, FIRST);
  const ask = withCapital(opened.ask).replace(/de (?=[aeéèêhiouy])/u, 'd’');
  return { question: `${ask} est-ce ${that(tidy(core))} ?`, answer: opened.answer };
}

function that(text: string): string {
  return `qu${/^[aeéèêhiouy]/iu.test(text) ? '’' : 'e '}${text}`;
}
