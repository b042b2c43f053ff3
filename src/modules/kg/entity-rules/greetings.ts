const list = (words: string): readonly string[] => words.split(' ');

/** What letters begin with, lower case; a name may follow. */
const OPENINGS: ReadonlySet<string> = new Set([
  ...list('hi hello hey dear greetings hallo hey hej moin servus liebe lieber liebes grüezi guten hola estimado'),
  ...list('estimada querido querida merhaba sayın sevgili bonjour cher chère'),
]);

/** `Guten Morgen`, `Good Evening`: both words are the greeting. */
const TIMES_OF_DAY: ReadonlySet<string> = new Set(
  list('morning afternoon evening day night morgen tag abend mittag nacht'),
);
const WISHES: ReadonlySet<string> = new Set(list('good guten gute schönen'));

/** How many words from `at` are a greeting: 0, 1 (`Hello`) or 2 (`Good Morning`). */
export function greetingAt(lower: readonly string[], at: number): number {
  if (WISHES.has(lower[at] ?? '') && TIMES_OF_DAY.has(lower[at + 1] ?? '')) return 2;
  return OPENINGS.has(lower[at] ?? '') ? 1 : 0;
}
