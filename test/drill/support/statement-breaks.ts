import type { Fate } from '../../support/hidden-documents/planted-world.js';

/** One condition that a statement can lose, as `broken-statement.mjs` reads it. */
export interface Break {
  /** Whose words the statement then gives away. */
  readonly fate: Fate;
  readonly name: string;
  /** What stands in front of it in the statement. */
  readonly before: string;
  readonly dropped: string;
  readonly instead: string;
}

/** Definitions of `shown_documents` and `shown_chunks`, as the database has them. */
export interface Views {
  readonly documents: string;
  readonly chunks: string;
}

interface Condition {
  readonly fate: Fate;
  readonly pattern: RegExp;
  readonly instead: (condition: string, ...groups: string[]) => string;
}

/** Tells a place in a statement from others. */
const BEFORE = 120;
const always = (): string => 'TRUE';
/** Conditions as statements have them, each dropped at one place at a time. */
const CONDITIONS: readonly Condition[] = [
  { fate: 'quarantined', pattern: /\b(?:\w+\.)?quarantined_at IS NULL/g, instead: always },
  { fate: 'deleted', pattern: /\b(?:\w+\.)?deleted_at IS NULL/g, instead: always },
  { fate: 'superseded', pattern: /\b\w+\.generation = \w+\.(?:visible_)?generation\b/g, instead: always },
  {
    fate: 'superseded',
    pattern: /\b(\w+)\.chunk_set_id = (\w+)\.chunk_set_id\b/g,
    instead: (_condition, one, other) => `(${one}.chunk_set_id, ${other}.chunk_set_id) IS NOT NULL`,
  },
  {
    fate: 'foreign',
    pattern: /\((\w+)\.owner_id = \$\d+::uuid OR \1\.acl = 'all_team_members' OR \(.*?\)\)\)/g,
    // PostgreSQL must still learn of which type the parameter is.
    instead: (condition) => `(TRUE OR ${condition})`,
  },
];
/** Conditions of the views that hide documents which have been shown. */
const OF_VIEWS = [
  ['quarantined', 'quarantined_at'],
  ['deleted', 'deleted_at'],
] as const;
const OF_CHUNKS = /\(\w+\.chunk_set_id = \w+\.chunk_set_id\)/;
const WRITES = /\b(?:INSERT INTO|UPDATE [a-z_]+ |DELETE FROM|FOR (?:NO KEY |KEY )?(?:SHARE|UPDATE))/;

/** All ways to break a statement by one condition; none of one that writes or locks rows. */
export function breaksOf(sql: string, views: Views): Break[] {
  if (WRITES.test(sql)) return [];
  return [...ofConditions(sql), ...ofViews(sql, views)];
}

function ofConditions(sql: string): Break[] {
  const aliases = new Set([...sql.matchAll(/\bdocuments (?:AS )?([a-z]\w*)\b/g)].map(([, alias]) => alias!));
  const isBare = /\bFROM documents (?:WHERE|LEFT|JOIN|FOR)\b/.test(sql);
  return CONDITIONS.flatMap(({ fate, pattern, instead }) =>
    [...sql.matchAll(pattern)].flatMap((found) => {
      const [dropped, ...groups] = found;
      // Other tables have times of deletion too.
      const [, alias] = /^(?:(\w+)\.)?deleted_at/.exec(dropped) ?? [dropped, undefined];
      const isOther = dropped.includes('deleted_at') && (alias === undefined ? !isBare : !aliases.has(alias));
      return isOther
        ? []
        : [{ fate, name: dropped, dropped, before: beforeOf(sql, found.index), instead: instead(dropped, ...groups) }];
    }),
  );
}

function ofViews(sql: string, { documents, chunks }: Views): Break[] {
  return [...sql.matchAll(/\b(?:shown_documents|shown_chunks)\b/g)].flatMap((found) => {
    const [view] = found;
    const whole = view === 'shown_documents' ? documents : chunks.replace(/\bshown_documents\b/, `(${documents})`);
    const place = { dropped: view, before: beforeOf(sql, found.index) };
    const breaks: Break[] = OF_VIEWS.map(([fate, column]) => {
      const instead = `(${without(whole, new RegExp(`\\((?:\\w+\\.)?${column} IS NULL\\)`))})`;
      return { ...place, fate, name: `${column} IS NULL of ${view}`, instead };
    });
    if (view === 'shown_documents') return breaks;
    const instead = `(${without(whole, OF_CHUNKS)})`;
    return [...breaks, { ...place, fate: 'superseded', name: `the chunk set of ${view}`, instead }];
  });
}

function beforeOf(sql: string, index: number): string {
  return sql.slice(Math.max(0, index - BEFORE), index);
}

function without(view: string, condition: RegExp): string {
  if (!condition.test(view)) throw new Error(`${condition} is not in the view: ${view}`);
  return view.replace(condition, 'TRUE');
}
