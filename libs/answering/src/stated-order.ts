import { foldText, TermBag, termsOf, type Term } from './overlap.js';
import { splitClauses } from './stated-polarity.js';
import { withPlainNumbers } from './stated-quantities.js';
import { isUnit } from './stated-units.js';

/** Two things of which a clause says that one is more than, or before, the other. */
interface Comparison {
  /** What they are compared by; opposites have the same. */
  readonly by: string;
  /** 1 or −1: the other way round, it says the contrary. */
  readonly sign: number;
  readonly left: readonly Term[];
  readonly right: readonly Term[];
}

const OPPOSITES: readonly (readonly [by: string, more: string, less: string])[] = [
  [
    'price',
    'dearer costlier pricier expensive teurer cher chère caro cara',
    'cheaper billiger günstiger barato barata',
  ],
  ['length', 'longer länger long longue largo larga', 'shorter kürzer court courte corto corta'],
  ['height', 'higher taller höher haut haute élevé alto alta', 'lower niedriger tiefer bas basse bajo baja'],
  ['size', 'larger bigger greater größer grand grande', 'smaller kleiner petit petite pequeño pequeña'],
  ['time', 'later später tard tarde', 'earlier sooner früher tôt temprano'],
  ['age', 'older älter âgé vieux viejo', 'younger newer jünger neuer jeune joven nuevo'],
  ['speed', 'faster quicker schneller rapide rápido rápida', 'slower langsamer lent lente lento lenta'],
  ['weight', 'heavier schwerer lourd lourde pesado', 'lighter leichter léger légère ligero'],
  ['worth', 'better besser meilleur meilleure mejor', 'worse schlechter pire peor'],
  ['number', 'more mehr plus más', 'fewer less weniger moins menos'],
];
const SIGNS: ReadonlyMap<string, { readonly by: string; readonly sign: number }> = new Map(
  OPPOSITES.flatMap(([by, more, less]) =>
    [more, less].flatMap((words, at) =>
      words.split(' ').map((word) => [foldText(word), { by, sign: at === 0 ? 1 : -1 }] as const),
    ),
  ),
);
const MORE: ReadonlySet<string> = new Set(['more', 'plus', 'mas']);
const LESS: ReadonlySet<string> = new Set(['less', 'moins', 'menos', 'weniger']);
const THAN: ReadonlySet<string> = new Set(['than', 'als', 'que']);
const CHOSEN =
  /^(?<left>.*\b(?:chose|chosen|choose|chooses|prefer|prefers|preferred|picked|selected|favou?red)\b.*?) over (?<right>\D.*)$/u;
/** Words of time and place that have an opposite, by what they are opposites in. */
const SIDES: ReadonlyMap<string, readonly [pair: string, side: number]> = new Map(
  [
    ['time', 'before prior vor avant antes', 'after following nach après después'],
    ['height', 'above oberhalb', 'below beneath unterhalb'],
    ['inside', 'inside innerhalb', 'outside außerhalb'],
  ].flatMap(([pair, ...sides]) =>
    sides.flatMap((words, side) => words.split(' ').map((word) => [foldText(word), [pair!, side]] as const)),
  ),
);
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Whether a text compares two things of a passage the other way round, or puts before what the passage puts after. */
export function ordersOtherwise(statement: string, passage: string): boolean {
  const [mine, theirs] = [clausesOf(statement), clausesOf(passage)];
  return comparesOtherwise(mine, theirs) || isOnTheOtherSide(mine, theirs);
}

/** Folded clauses; a lone capital is a name (“class B”), and no article. */
function clausesOf(text: string): string[] {
  const named = text.replace(/(?<=\p{L} )\p{Lu}(?![\p{L}’'])/gu, (letter) => letter.repeat(4));
  return splitClauses(withPlainNumbers(named)).map((clause) => foldText(clause).replace(/\s+/g, ' ').trim());
}

function comparesOtherwise(mine: readonly string[], theirs: readonly string[]): boolean {
  const stated = mine.flatMap(readComparison);
  if (stated.length === 0) return false;
  const held = theirs.flatMap(readComparison);
  return stated.some((one) =>
    held.some((other) => {
      if (one.by !== other.by) return false;
      if (isMatched(one.left, other.left, other.right) && isMatched(one.right, other.right, other.left))
        return one.sign !== other.sign;
      const isCrossed = isMatched(one.left, other.right, other.left) && isMatched(one.right, other.left, other.right);
      return isCrossed && one.sign === other.sign;
    }),
  );
}

/** Whether some of the words are on one side, and not on the other one. */
function isMatched(words: readonly Term[], side: readonly Term[], otherSide: readonly Term[]): boolean {
  const [here, there] = [new TermBag(side), new TermBag(otherSide)];
  return words.some((term) => here.match(term) > 0 && there.match(term) === 0);
}

function readComparison(clause: string): Comparison[] {
  const chosen = CHOSEN.exec(clause)?.groups;
  if (chosen !== undefined)
    return [
      { by: 'choice', sign: 1, left: contentOf(chosen['left']!, clause), right: contentOf(chosen['right']!, clause) },
    ];
  const words = [...clause.matchAll(WORD)];
  return words.flatMap(({ 0: word, index }, at): Comparison[] => {
    if (!THAN.has(word)) return [];
    const compared = signBefore(words.slice(Math.max(0, at - 3), at).map(([before]) => before));
    if (compared === undefined) return [];
    const [left, right] = [
      contentOf(clause.slice(0, index), clause),
      contentOf(clause.slice(index + word.length), clause),
    ];
    // “Longer than 5 m” is a bound.
    return right.every(({ sort, form }) => sort === 'number' || isUnit(form)) ? [] : [{ ...compared, left, right }];
  });
}

/** What the words before “than” compare by: “cheaper”, “more expensive”, “plus rapide”. */
function signBefore(words: readonly string[]): Pick<Comparison, 'by' | 'sign'> | undefined {
  const last = words.at(-1) ?? '';
  const degree = words.at(-2) ?? '';
  if (MORE.has(degree) || LESS.has(degree)) {
    const { by, sign } = SIGNS.get(last) ?? { by: last, sign: 1 };
    return { by, sign: MORE.has(degree) ? sign : -sign };
  }
  const known = SIGNS.get(last) ?? words.map((word) => SIGNS.get(word)).findLast((sign) => sign?.by === 'number');
  return known ?? (last.endsWith('er') && last.length > 4 ? { by: last, sign: 1 } : undefined);
}

/** “After the trip” where the passage has “before the trip”. */
function isOnTheOtherSide(mine: readonly string[], theirs: readonly string[]): boolean {
  const stated = mine.flatMap(readSides);
  if (stated.length === 0) return false;
  const held = theirs.flatMap(readSides);
  return stated.some(({ pair, side, key }) => {
    const bag = new TermBag([key]);
    const alike = held.filter((other) => other.pair === pair && bag.match(other.key) > 0);
    return alike.length > 0 && alike.every((other) => other.side !== side);
  });
}

/** Words of two sides with the first word of content behind them. */
function readSides(clause: string): { readonly pair: string; readonly side: number; readonly key: Term }[] {
  return [...clause.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const found = SIDES.get(word);
    const key = found === undefined ? undefined : contentOf(clause.slice(index + word.length), clause)[0];
    if (found === undefined || key === undefined || key.sort === 'number') return [];
    return [{ pair: found[0], side: found[1], key }];
  });
}

/** Terms of a part with content; a few words alone do not show their language, and so not which of them are function words. */
function contentOf(part: string, clause: string): Term[] {
  const content = new Set(termsOf(clause).flatMap(({ form, isContent }) => (isContent ? [form] : [])));
  return termsOf(part).filter(({ form }) => content.has(form));
}
