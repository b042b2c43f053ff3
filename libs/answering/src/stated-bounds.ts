import { foldText } from './overlap.js';
import { withPlainDates } from './stated-dates.js';
import { isDenied, splitClauses } from './stated-polarity.js';
import { withPlainNumbers } from './stated-quantities.js';

type Direction = 'up' | 'down';

/** A number that a text says more or less of, or from or until which something holds. */
interface Bound {
  readonly value: string;
  readonly direction: Direction;
  /** Whether the clause denies it: more than two are not granted. */
  readonly isDenied: boolean;
}

interface Phrases {
  /** The other way round before an amount of time that lies before something: at the latest four weeks before is four weeks or more. */
  readonly isOfTime: boolean;
  readonly direction: Direction;
  readonly words: string;
}

const PHRASES: readonly Phrases[] = [
  {
    direction: 'up',
    isOfTime: false,
    words:
      'at least|a minimum of|minimum of|minimum|minimal|no less than|not less than|no fewer than|more than|over|above|exceeding|exceeds|older than|longer than|' +
      'larger than|greater than|higher than|heavier than|after|from|later than|' +
      'mindestens|wenigstens|nicht weniger als|mehr als|uber|oberhalb von|alter als|langer als|grosser als|hoher als|schwerer als|ab|nach|' +
      'au moins|un minimum de|plus de|pas moins de|a partir de|apres|superieure?s? a|al menos|por lo menos|como minimo|un minimo de|mas de|no menos de|a partir del?|despues del?|mayor(?:es)? de',
  },
  {
    direction: 'down',
    isOfTime: false,
    words:
      'at most|a maximum of|maximum of|maximum|maximal|no more than|not more than|less than|fewer than|under|below|younger than|shorter than|smaller than|' +
      'lower than|lighter than|earlier than|within|hochstens|nicht mehr als|weniger als|unter|unterhalb von|junger als|kurzer als|kleiner als|' +
      'niedriger als|leichter als|innerhalb von|binnen|au maximum|un maximum de|moins de|pas plus de|inferieure?s? a|como maximo|un maximo de|a lo sumo|menos de|no mas de|menor(?:es)? de|dentro de',
  },
  {
    direction: 'down',
    isOfTime: true,
    words:
      "no later than|not later than|at the latest|not after|until|till|before|by(?= (?:the )?(?:m\\d|(?:19|20)\\d\\d|\\d+(?::\\d+|$| m\\d)))|up to|spatestens|nicht spater als|bis zu|bis|vor(?! \\d+ (?:tag|woche|monat|jahr|stunde|minute))|au plus tard|jusqu['’]a|jusqu['’]au|avant|a mas tardar|hasta|antes del?",
  },
  {
    direction: 'up',
    isOfTime: true,
    words:
      'no earlier than|not earlier than|no sooner than|at the earliest|not before|fruhestens|nicht fruher als|nicht vor|au plus tot|no antes del?|como pronto',
  },
];
/** Says how long before, or until when: “until two weeks before” is no bound of two weeks. */
const UNTIL = /^(?:until|till|before|by|up to|bis|bis zu|vor|jusqu|avant|hasta|antes)/u;
const BEFOREHAND =
  /^(?: [\p{L}.]+){1,2} (?:before|prior|ahead|in advance|earlier|vor|vorher|zuvor|im voraus|avant|auparavant|antes)(?!\p{L})/u;
const FILLER =
  "(?:the|a|an|of|about|some|another|age|year|dem|den|der|die|das|zum|zur|um|jahr|noch|etwa|rund|le|la|les|el|los|las|l['’]age|edad|annee|ano|de|dos|m\\d{1,2})";
const OR_MORE =
  /^(?: [\p{L}%€$£]+)? (?:or|and|oder|und|ou|et|o|y) (?:more|over|older|above|up|longer|later|mehr|langer|alter|daruber|spater|plus|davantage|mas|mayores)(?!\p{L})/u;
const OR_LESS =
  /^(?: [\p{L}%€$£]+)? (?:or|and|oder|und|ou|et|o|y) (?:less|fewer|under|younger|below|earlier|shorter|weniger|junger|kurzer|darunter|fruher|moins|menos|menores)(?!\p{L})/u;
const AT_THE_END =
  /^(?: [\p{L}\d%€$£]+){0,3} (?:(?<down>at most|at the latest|maximum|maximal|hochstens|au maximum|au plus tard|como maximo|a mas tardar)|(?<up>at least|at the earliest|minimum|mindestens|au minimum|como minimo))$/u;

const BY_PHRASE: readonly (Phrases & { readonly pattern: RegExp })[] = PHRASES.map((phrases) => ({
  ...phrases,
  pattern: new RegExp(
    `(?<!\\p{L})(?<phrase>${phrases.words}) (?:${FILLER} ){0,3}[€$£]?\\s?(?<value>\\d+(?:[.:]\\d+)?)`,
    'gu',
  ),
}));
const PHRASE = new RegExp(`(?<!\\p{L})(?:${PHRASES.map(({ words }) => words).join('|')})(?!\\p{L})`, 'gu');

/** Whether a text says “more than” of a number of which the passage says “less than”: another bound of the same number. */
export function boundsOtherwise(statement: string, passage: string): boolean {
  return compareBounds(statement, passage, (mine, theirs) => mine.isDenied === theirs.isDenied);
}

/** Whether one of both denies what is beyond a bound that the other one keeps: “at most two”, “more than two are not granted”. */
export function boundsTheSame(statement: string, passage: string): boolean {
  return compareBounds(statement, passage, (mine, theirs) => mine.isDenied !== theirs.isDenied);
}

function compareBounds(statement: string, passage: string, isMeant: (mine: Bound, theirs: Bound) => boolean): boolean {
  const stated = readBounds(statement);
  if (stated.length === 0) return false;
  const held = readBounds(passage);
  return stated.some((mine) => {
    const same = held.filter(({ value }) => value === mine.value);
    const isOpposite = same.some((theirs) => theirs.direction !== mine.direction && isMeant(mine, theirs));
    return (
      isOpposite && !same.some((theirs) => theirs.direction === mine.direction && theirs.isDenied === mine.isDenied)
    );
  });
}

function readBounds(text: string): Bound[] {
  return splitClauses(withPlainNumbers(withPlainDates(text))).flatMap((clause) => {
    const folded = foldText(clause).replace(/\s+/g, ' ').trim();
    const found = [...prefixed(folded), ...suffixed(folded)];
    if (found.length === 0) return [];
    const denied = isDenied(folded.replace(PHRASE, ' '));
    return found.map((bound) => ({ ...bound, isDenied: denied }));
  });
}

type Read = Omit<Bound, 'isDenied'>;

/** The longest phrase before a number holds: “no more than” is not “more than”. */
function prefixed(folded: string): Read[] {
  const longest = new Map<number, Read & { readonly from: number }>();
  for (const { pattern, direction, isOfTime } of BY_PHRASE) {
    for (const { 0: written, index, groups } of folded.matchAll(pattern)) {
      const [end, { phrase = '', value = '' }] = [index + written.length, groups ?? {}];
      const isBeforehand = isOfTime && BEFOREHAND.test(folded.slice(end));
      if (isBeforehand && UNTIL.test(phrase)) continue;
      if ((longest.get(end)?.from ?? Infinity) <= index) continue;
      longest.set(end, { from: index, value, direction: isBeforehand ? turned(direction) : direction });
    }
  }
  return [...longest.values()].map(({ value, direction }) => ({ value, direction }));
}

function suffixed(folded: string): Read[] {
  return [...folded.matchAll(/(?<![\d.:])\d+(?:[.:]\d+)?/gu)].flatMap(({ 0: value, index }): Read[] => {
    const behind = folded.slice(index + value.length);
    const end = AT_THE_END.exec(behind.replace(/[\s.!?]+$/u, ''))?.groups;
    if (OR_MORE.test(behind) || end?.['up'] !== undefined) return [{ value, direction: 'up' }];
    return OR_LESS.test(behind) || end?.['down'] !== undefined ? [{ value, direction: 'down' }] : [];
  });
}

function turned(direction: Direction): Direction {
  return direction === 'up' ? 'down' : 'up';
}
