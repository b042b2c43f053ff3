/** A word, number or sign of a question or a cell. */
export interface Token {
  /** Lower case, without accents. */
  readonly text: string;
  readonly stem: string;
  /** Place in the text, in code units. */
  readonly start: number;
  readonly end: number;
}

const TOKEN =
  /\d{3}0['’]s(?![\p{L}\p{N}])|\d+(?:[.,]\d+)*(?:s|st|nd|rd|th)?(?![\p{L}\p{N}])|[\p{L}\p{M}][\p{L}\p{M}\p{N}]*(?:['’][\p{L}]+)*|\d+|[%€$£]/gu;
const IRREGULAR = new Map(
  Object.entries({
    win: 'won winner winning wins',
    lose: 'lost loss losses losing loses loser',
    person: 'people persons',
    man: 'men',
    woman: 'women',
    child: 'children',
    pay: 'paid paying pays payment payments payed',
    sell: 'sold sale sales seller selling sells',
    hold: 'held',
    build: 'built builder',
    buy: 'bought buyer',
    spend: 'spent',
    lead: 'led',
    run: 'ran',
    write: 'wrote written writer',
    drive: 'drove driven driver drivers driving drives',
    teach: 'taught teacher',
    begin: 'began begun beginning',
    grow: 'grew grown growth',
    rise: 'rose risen',
    fall: 'fell fallen',
    fly: 'flew flown flight',
    find: 'found',
    high: 'height',
    long: 'length',
    wide: 'width',
    deep: 'depth',
    weigh: 'weight weighs weighed',
    attend: 'attendance attendances attendee attendees',
    marry: 'married marriage',
    die: 'died death deaths',
    bear: 'born birth',
    choose: 'chosen chose',
    tie: 'ties tied',
    year: 'years yearly annual annually',
    city: 'cities',
    speak: 'spoke spoken speaker',
    sing: 'sang sung singer',
    produce: 'production producer producers produced',
    register: 'registration registered registers',
    populate: 'population populations populated',
    office: 'offices',
    january: 'jan',
    february: 'feb',
    march: 'mar',
    april: 'apr',
    june: 'jun',
    july: 'jul',
    august: 'aug',
    september: 'sep sept september',
    october: 'oct october',
    november: 'nov november',
    december: 'dec december',
  }).flatMap(([stem, forms]) => forms.split(' ').map((form) => [form, stem] as const)),
);
const LEAST_INFLECTED = 5;
const LEAST_CHANGED = 7;
const ENDING = /^(?:e[mnrs]?|n|s|nen)$/;
/** Words that carry no subject of their own. */
const FILLERS = new Set(
  `a an the of in on at to for from by with and or but as is are was were be been being am do does did done doing has have had having
  it its this that these those they them their theirs there here then than he she his her him we us our you your i me my who whom whose
  which what when where why how much many any some each every all both either please show list give tell find get name named names called
  listed list shown show chart table sheet row rows column columns entry entries record records value values number numbers numbered count counted
  total amount altogether overall time times ever also only just not no nor non so such can could will would shall should may might must
  one ones same other others out up down off over about into during per more most less least very go goes went come comes came take takes
  took taken make makes made use uses used using see seen appear appears appeared occur occurs occurred happen happened receive received
  according data information recorded reported noted held hold place took kind sort type different distinct unique various exactly still yet now currently
  actually s if whether play played plays playing ask please compete competed participate participated feature featured serve served against between after before above below under since until through throughout within without well like`.split(
    /\s+/,
  ),
);

/** Lower case, plain quotation marks and dashes, no accents. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .replace(/[‘’´`]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‐‑‒–—−]/g, '-')
    .toLowerCase();
}

/** The words, numbers and signs of money and percent; what is between them is left out. */
export function tokensOf(text: string): Token[] {
  return [...fold(text).matchAll(TOKEN)].map((match) => {
    // `1970's` is the decade.
    const word = match[0]
      .replace(/^(\d{3}0)'s$/, '$1s')
      .replace(/'s$/, '')
      .replaceAll("'", '');
    return { text: word, stem: stemOf(word), start: match.index, end: match.index + match[0].length };
  });
}

/** What several forms of an English word have in common; only for comparing, no word of its own. */
export function stemOf(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (word.length <= 3 || /\d/.test(word)) return word;
  let stem = word.replace(/ies$/, 'y').replace(/(ss|sh|ch|x|z)es$/, '$1');
  if (!/(ss|us|is)$/.test(stem)) stem = stem.replace(/s$/, '');
  stem = shorten(stem, /ly$/, 4) ?? stem;
  stem = shorten(stem, /(?:ation|ition)$/, 4) ?? shorten(stem, /(?:ment|ing|ed|er|or)$/, 3) ?? stem;
  return stem
    .replace(/([bdfgklmnprt])\1$/, '$1')
    .replace(/(?<=..)e$/, '')
    .replace(/(?<=...)i$/, 'y');
}

export function isFiller(text: string): boolean {
  return FILLERS.has(text);
}

/** Single edits that make one word of another, or more than `most`. */
export function editsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const swap = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}

/** Whether both are the same word, in other forms or with a slip of the pen. */
export function isSameWord(one: Token, other: Token): 'same' | 'similar' | undefined {
  if (one.text === other.text || one.stem === other.stem) return 'same';
  if (isInflected(one.text, other.text)) return 'similar';
  const shorter = Math.min(one.text.length, other.text.length);
  if (shorter < 5 || /\d/.test(one.text + other.text) || one.text[0] !== other.text[0]) return undefined;
  // `Esche` and `Eiche`: short words that differ in a letter are more often two words than a slip.
  if (shorter < LEAST_CHANGED && one.text.length === other.text.length) return undefined;
  const most = shorter >= 9 ? 2 : 1;
  return editsBetween(one.text, other.text, most) <= most ? 'similar' : undefined;
}

/** `offenen` of `offen`, `Rechnungen` of `Rechnung`, `bezahlte` of `bezahlter`. */
export function isInflected(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < LEAST_INFLECTED) return false;
  if (long.startsWith(short) && ENDING.test(long.slice(short.length))) return true;
  const [shortBase, longBase] = [short.replace(/e[mnrs]?$/, ''), long.replace(/e[mnrs]?$/, '')];
  return shortBase === longBase && shortBase.length >= LEAST_INFLECTED;
}

function shorten(word: string, ending: RegExp, least: number): string | undefined {
  const rest = word.replace(ending, '');
  return rest !== word && rest.length >= least && /[aeiouy]/.test(rest) ? rest : undefined;
}
