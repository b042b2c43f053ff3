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

const NUMBERS = 'dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce';
const UNITS = 'segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|trimestres?|años?';
const MONTHS =
  '(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)(?: de \\d{4})?';
const DATES = `(?:\\d{1,2} de )?${MONTHS}|(?:1[5-9]|20)\\d\\d`;
/** Words in -as that are masculine all the same are left out: they are asked for with the other ones. */
const FEMININE = '((?!días|problemas|sistemas|programas|temas)[\\p{Ll}]+as)';

const GAPS: readonly Gap[] = [
  { pattern: words('porque .+|debido a .+'), ask: 'por qué' },
  {
    pattern: words(
      `cada (?:{N} )?(?:${UNITS})|tod[oa]s l[oa]s (?:${UNITS})|(?:una|{N}) (?:vez|veces) (?:al|a la|por|cada) (?:${UNITS})`,
      NUMBERS,
    ),
    ask: 'con qué frecuencia',
  },
  { pattern: words(`desde (?:el )?(?:${DATES})`), ask: 'desde cuándo' },
  { pattern: words(`hasta (?:el )?(?:${DATES})`), ask: 'hasta cuándo' },
  { pattern: words('a las \\d{1,2}(?:[.:]\\d\\d)?'), ask: 'a qué hora' },
  { pattern: words(`(?:en|el|antes del|después del) (?:${DATES})`), ask: 'cuándo' },
  {
    pattern: words(`(en un plazo de|después de|durante|dentro de|a|con|en|por) {N} ${FEMININE}`, NUMBERS),
    ask: '$1 cuántas $2',
  },
  {
    pattern: words(`(en un plazo de|después de|durante|dentro de|a|con|en|por) {N} ([\\p{Ll}]+)`, NUMBERS),
    ask: '$1 cuántos $2',
  },
  { pattern: words('por (?:el|la|los|las|un|una) [\\p{Ll}]+'), ask: 'por quién' },
  { pattern: words(`{N} ${FEMININE}`, NUMBERS), ask: 'cuántas $1' },
  { pattern: words('{N} ([\\p{Ll}]+)', NUMBERS), ask: 'cuántos $1' },
];

const CLAUSE = new RegExp(
  '^([^,;:()«"¿]{3,120}?) (es|son|está|están|fue|fueron|será|serán|puede|pueden|debe|deben|tiene|tienen|ha|han|cuesta|cuestan|dura|duran|contiene|contienen|' +
    'comienza|comienzan|empieza|termina|abre|cierra|paga|pagan|recibe|reciben|necesita|necesitan|requiere|pesa|mide|vale|se [\\p{Ll}]{4,}) (.{3,})$',
  'u',
);
const NOT_FIRST = listOf(
  'este esta esto estos estas ese esa eso él ella ellos ellas usted ustedes yo nosotros aquí allí si cuando porque aunque pero y o entonces así en para por con sin desde hasta según sobre tras durante además también no su sus lo que como donde quien al a del de otro otra ambos',
);
const NOT_WITHIN =
  / (?:que|quien|quienes|cual|donde|cuando|si|no|pero) | (?:y|o|de|del|el|la|los|las|un|una|con|para|en|a|al) $/u;
const NOT_REMAINING =
  / (?:que|quien|cual|donde|cuando|si|pero|sino|mientras|aunque|más|a a|de de|y (?:se|es|son|está|están|tiene|tienen|no|puede|pueden|debe|deben|fue)) | (?:y|o|de|del|el|la|los|las|un|una|con|que) $/u;
const LOWERED = listOf('el la los las un una cada todo toda todos todas nuestro nuestra ningún ninguna');

/** «La bomba se revisa cada 500 horas» → «¿Con qué frecuencia se revisa la bomba?» */
export function askInSpanish(sentence: string): MadeQuestion | undefined {
  const [, head = '', verb = '', rest = ''] = CLAUSE.exec(sentence) ?? [];
  if (verb === '' || !isSubject(head, NOT_FIRST, NOT_WITHIN)) return undefined;
  const subject = withoutCapital(head, LOWERED);
  if ((verb === 'es' || verb === 'son') && /^(?:una?|el|la|los|las) /u.test(rest))
    return askForDefinition(`¿Qué ${verb} ${subject}?`, rest);
  const opened = openGap(rest, GAPS, NOT_REMAINING);
  if (opened === undefined) return undefined;
  return {
    question: `¿${withCapital(opened.ask)} ${tidy(`${verb} ${subject} ${opened.remainder}`)}?`,
    answer: opened.answer,
  };
}
