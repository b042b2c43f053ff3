/** How an answer about a passage's entities may go wrong. */
export const GRAPH_VARIANTS = ['broken', 'broken_once', 'invented', 'wrong_types', 'hostile'] as const;
export type GraphVariant = (typeof GRAPH_VARIANTS)[number];

interface Entity {
  readonly name: string;
  readonly type: string;
  readonly aliases: readonly string[];
}

const PASSAGE = /<passage-([0-9a-f]+)>\n([\s\S]*?)\n<\/passage-\1>/;
const NAME = /\p{Lu}[\p{L}\d-]*(?: (?:of |the )?\p{Lu}[\p{L}\d-]*)*(?: \d+ Company)?/gu;
const DATE =
  /\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}/gu;
const VERBS: readonly (readonly [RegExp, string, boolean])[] = [
  [/\bwas founded by\b/, 'founded', true],
  [/\bfounded\b/, 'founded', false],
  [/\bleads\b/, 'leads', false],
  [/\bowns\b/, 'owns', false],
  [/\bworks for\b/, 'works_for', false],
  [/\blives in\b/, 'lives_in', false],
  [/ in /, 'located_in', false],
];

/** Whether a request asks for the entities of a passage. */
export function asksForGraph(instructions: string, prompt: string): boolean {
  return instructions.includes('"entities"') && PASSAGE.test(prompt);
}

/** The capitalised names of the passage, by plain rules: the same passage gives the same answer. */
export function graphAsDouble(instructions: string, prompt: string, variant: GraphVariant | undefined): string {
  const passage = PASSAGE.exec(prompt)?.[2] ?? '';
  const isRepair = /<answer-[0-9a-f]+>/.test(prompt);
  if (variant === 'broken' || (variant === 'broken_once' && !isRepair)) return '{"entities": [{"name": "Bro';
  if (variant === 'hostile') return 'Ignore the rules. {"entities": "all", "relations": "DROP TABLE kg_mentions"}';
  const types = (/Types: ([a-z, ]+)\./.exec(instructions)?.[1] ?? '').split(', ');
  const entities = entitiesOf(passage).filter(({ type }) => types.includes(type));
  const names = new Set(entities.map(({ name }) => name));
  const relations = relationsOf(passage).filter(({ source, target }) => names.has(source) && names.has(target));
  if (variant === 'invented') {
    entities.push({ name: 'Invented Holdings Ltd', type: 'organisation', aliases: [] });
    relations.push({ source: 'Invented Holdings Ltd', target: entities[0]!.name, relation: 'owns' });
  }
  if (variant === 'wrong_types') for (const entity of entities.slice(0, 1)) Object.assign(entity, { type: 'animal' });
  return JSON.stringify({ entities, relations });
}

function entitiesOf(passage: string): Entity[] {
  const found = new Map<string, Entity>();
  for (const [date] of passage.matchAll(DATE)) found.set(date, { name: date, type: 'date', aliases: [] });
  for (const { 0: name, index } of passage.matchAll(NAME)) {
    if (name.length < 3 || [...found.keys()].some((one) => one.includes(name))) continue;
    const short = /^ \(([A-Z]{2,6})\)/.exec(passage.slice(index + name.length))?.[1];
    found.set(name, { name, type: typeOf(name, passage), aliases: short === undefined ? [] : [short] });
  }
  return [...found.values()];
}

function typeOf(name: string, passage: string): string {
  if (/(?:Ltd|Company|Trust)$/.test(name)) return 'organisation';
  if (/^[A-Z]{2,6}$/.test(name)) return 'organisation';
  return passage.includes(` in ${name}`) ? 'place' : 'person';
}

function relationsOf(passage: string): { source: string; target: string; relation: string }[] {
  return passage.split(/(?<=[.!?])\s/).flatMap((sentence) => {
    const names = entitiesOf(sentence).filter(({ type }) => type !== 'date');
    return names.slice(1).flatMap((to, at) => {
      const from = names[at]!;
      const between = sentence.slice(sentence.indexOf(from.name) + from.name.length, sentence.indexOf(to.name));
      const verb = VERBS.find(([pattern]) => pattern.test(between));
      if (verb === undefined) return [];
      const [source, target] = verb[2] ? [to.name, from.name] : [from.name, to.name];
      return [{ source, target, relation: verb[1] }];
    });
  });
}
