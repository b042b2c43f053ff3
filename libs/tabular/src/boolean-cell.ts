/** Pairs of words for true and false. A column keeps to one of them. */
const PAIRS: readonly (readonly [readonly string[], readonly string[]])[] = [
  [
    ['true', '.true.'],
    ['false', '.false.'],
  ],
  [['yes'], ['no']],
  [['y'], ['n']],
  [['ja'], ['nein', 'nej', 'nee']],
  [['wahr'], ['falsch']],
  [['oui'], ['non']],
  [['vrai'], ['faux']],
  [['sí', 'si', 'sì'], ['no']],
  [['verdadero', 'verdadeiro', 'vero'], ['falso']],
  [['sim'], ['não', 'nao']],
  [['да'], ['нет']],
  [['是'], ['否']],
  [
    ['✓', '✔', '✅', '☑'],
    ['✗', '✘', '❌', '✕', '☐'],
  ],
  [['on'], ['off']],
];
/** Alone these may be anything. */
const NEEDS_BOTH = new Set(['y', 'n', 'no', 'on', 'off', 'si', 'non', 'vero']);

const MEANINGS = new Map<string, readonly { readonly pair: number; readonly value: boolean }[]>();
PAIRS.forEach(([yes, no], pair) => {
  for (const [words, value] of [
    [yes, true],
    [no, false],
  ] as const) {
    for (const word of words) MEANINGS.set(word, [...(MEANINGS.get(word) ?? []), { pair, value }]);
  }
});

/** Counts which pairs of words the values of a column belong to. */
export class BooleanWords {
  private readonly counts = new Map<number, number>();
  private readonly words = new Set<string>();

  add(text: string): void {
    if (text.length > 10) return;
    const word = text.toLowerCase();
    const meanings = MEANINGS.get(word);
    if (meanings === undefined) return;
    this.words.add(word);
    for (const { pair } of meanings) this.counts.set(pair, (this.counts.get(pair) ?? 0) + 1);
  }

  /** The pair that most values belong to, and how many these are. */
  get best(): { readonly pair: number; readonly count: number } | undefined {
    const [first] = [...this.counts].toSorted(([, one], [, other]) => other - one);
    if (first === undefined) return undefined;
    if (this.words.size === 1 && NEEDS_BOTH.has([...this.words][0]!)) return undefined;
    return { pair: first[0], count: first[1] };
  }
}

/** The value of a word, for a pair or for any; undefined for another word. */
export function readBoolean(text: string, pair?: number): boolean | undefined {
  const meanings = text.length > 10 ? undefined : MEANINGS.get(text.toLowerCase());
  const found = pair === undefined ? meanings?.[0] : meanings?.find((meaning) => meaning.pair === pair);
  return found?.value;
}
