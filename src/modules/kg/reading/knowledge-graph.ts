import type { GraphEntityType } from '../../ingestion-policy/index.js';
import { createHash } from 'node:crypto';
import { sortSteps, type ChunkId, type DatasetId, type DocumentId, type Steps } from '#libs/common';
import { entityKeyOf } from '../entity-rules/entity-key.js';

/** A place of a visible document that names an entity. */
export interface MentionRow {
  readonly document_id: DocumentId;
  readonly entity_key: string;
  readonly label: string;
  readonly form: string;
  readonly entity_type: GraphEntityType;
  readonly chunk_id: ChunkId;
  readonly char_start: string;
  readonly char_end: string;
  readonly sentence_start: string;
}

/** A sentence of a visible document that says how two entities belong together. */
export interface RelationRow {
  readonly document_id: DocumentId;
  readonly source_key: string;
  readonly target_key: string;
  readonly relation: string;
  readonly chunk_id: ChunkId;
  readonly char_start: string;
  readonly char_end: string;
}

/** Where a document says something; in UTF-16 code units of its canonical text. */
export interface Place {
  readonly document_id: DocumentId;
  readonly chunk_id: ChunkId;
  readonly char_start: number;
  readonly char_end: number;
}

export interface GraphNode {
  readonly id: string;
  readonly label: string;
  readonly type: GraphEntityType;
  /** Other forms of its name. */
  readonly aliases: readonly string[];
  readonly evidence: readonly Place[];
}

export interface GraphEdge {
  readonly source: string;
  readonly target: string;
  readonly relation: string;
  readonly weight: number;
  readonly evidence: readonly Place[];
}

/** Nodes and edges that visible documents support, and no others. */
export interface KnowledgeGraph {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly edges: readonly GraphEdge[];
  readonly truncated: boolean;
}

/** Names that are together in a sentence and of which nothing more is known. */
export const TOGETHER = 'related_to';
/** Names of one sentence that are joined at most; a list of a hundred names says nothing of any two. */
const MOST_OF_SENTENCE = 12;
const MOST_EDGES = 50_000;
/** Rows that are looked at in one step. */
const ROWS_PER_STEP = 500;
const ACRONYM = /^\p{Lu}[\p{Lu}\p{N}]{1,9}$/u;

/** Id of an entity: the same as long as the dataset names it. */
export function entityIdOf(datasetId: DatasetId, key: string): string {
  const hash = createHash('sha256').update(`${datasetId}\n${key}`).digest('hex');
  const variant = ((Number.parseInt(hash[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** Builds the graph that this evidence supports. The same evidence, in whatever order documents came, gives the same graph. */
export function* buildGraph(
  datasetId: DatasetId,
  mentions: readonly MentionRow[],
  relations: readonly RelationRow[],
  truncated = false,
): Steps<KnowledgeGraph> {
  const names = new NameKeys();
  const keyOf = yield* acronymTargets(mentions, names);
  const byKey = yield* groupsOf(mentions, ({ entity_key: key }) => keyOf(key));
  const ids = new Map<string, string>();
  const nodes = new Map<string, GraphNode>();
  for (const [key, rows] of byKey) {
    const node = nodeOf(entityIdOf(datasetId, key), key, rows, names);
    ids.set(key, node.id);
    nodes.set(node.id, node);
    yield;
  }
  const idOf = (name: string): string => ids.get(keyOf(name)) ?? entityIdOf(datasetId, keyOf(name));
  const told = yield* toldEdges(relations, idOf, nodes);
  const together = yield* togetherEdges(mentions, idOf);
  const all = [...told, ...together];
  yield;
  const heavy = heaviest(all, MOST_EDGES);
  yield;
  const edges = (yield* sortSteps(heavy, byWeight)).slice(0, MOST_EDGES);
  return { nodes, edges, truncated: truncated || all.length > MOST_EDGES };
}

/** Keys of names, each made once. */
class NameKeys {
  private readonly keys = new Map<string, string>();

  of(name: string): string {
    const key = this.keys.get(name) ?? entityKeyOf(name);
    this.keys.set(name, key);
    return key;
  }
}

function* groupsOf<T>(rows: readonly T[], keyOf: (row: T) => string): Steps<Map<string, T[]>> {
  const groups = new Map<string, T[]>();
  for (const [at, row] of rows.entries()) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
    if (at % ROWS_PER_STEP === 0) yield;
  }
  return groups;
}

/** An acronym that one document explains means the same in others, unless two explain it differently. */
function* acronymTargets(mentions: readonly MentionRow[], names: NameKeys): Steps<(key: string) => string> {
  const targets = new Map<string, Set<string>>();
  for (const [at, { form, entity_key: key }] of mentions.entries()) {
    if (at % ROWS_PER_STEP === 0) yield;
    if (!ACRONYM.test(form)) continue;
    const short = names.of(form);
    if (short !== key) targets.set(short, (targets.get(short) ?? new Set()).add(key));
  }
  return (key) => {
    const found = targets.get(key);
    return found?.size === 1 ? [...found][0]! : key;
  };
}

function nodeOf(id: string, key: string, rows: readonly MentionRow[], names: NameKeys): GraphNode {
  const own = rows.filter(({ label }) => names.of(label) === key);
  const label = commonest((own.length > 0 ? own : rows).map((row) => row.label));
  const type = commonest((own.length > 0 ? own : rows).map((row) => row.entity_type));
  const forms = new Set<string>();
  for (const row of rows) forms.add(row.form).add(row.label);
  return { id, label, type, aliases: [...forms].filter((form) => form !== label).sort(), evidence: rows.map(placeOf) };
}

/** The most frequent value; of those that are as frequent the first in the order of their characters. */
function commonest<T extends string>(values: readonly T[]): T {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]![0];
}

function* toldEdges(
  relations: readonly RelationRow[],
  idOf: (key: string) => string,
  nodes: ReadonlyMap<string, GraphNode>,
): Steps<GraphEdge[]> {
  const keyOf = (row: RelationRow): string => `${idOf(row.source_key)} ${idOf(row.target_key)} ${row.relation}`;
  const groups = yield* groupsOf(relations, keyOf);
  const edges: GraphEdge[] = [];
  for (const [key, rows] of groups) {
    yield;
    const [source, target, relation] = key.split(' ') as [string, string, string];
    if (source === target || !nodes.has(source) || !nodes.has(target)) continue;
    edges.push({ source, target, relation, weight: rows.length, evidence: rows.map(placeOf) });
  }
  return edges;
}

/**
 * Names that share sentences. The weight is the number of sentences, times 1 plus the normalised pointwise mutual information of both names
 * over all sentences with names (Bouma 2009): near 0 for names that meet less than by chance, up to twice the number for names that are never apart.
 */
function* togetherEdges(mentions: readonly MentionRow[], idOf: (key: string) => string): Steps<GraphEdge[]> {
  const sentences = yield* groupsOf(mentions, (row) => `${row.document_id} ${row.sentence_start}`);
  const counts = new Map<string, number>();
  const pairs = new Map<string, Place[]>();
  for (const rows of sentences.values()) {
    const first = new Map<string, MentionRow>();
    for (const row of rows) {
      const id = idOf(row.entity_key);
      if (!first.has(id)) first.set(id, row);
    }
    for (const id of first.keys()) counts.set(id, (counts.get(id) ?? 0) + 1);
    addPairs([...first].slice(0, MOST_OF_SENTENCE), pairs);
    yield;
  }
  const edges: GraphEdge[] = [];
  for (const [key, evidence] of pairs) {
    const [source, target] = key.split(' ') as [string, string];
    const likely = npmi(evidence.length, counts.get(source)!, counts.get(target)!, sentences.size);
    edges.push({ source, target, relation: TOGETHER, weight: rounded(evidence.length * (1 + likely)), evidence });
    if (edges.length % ROWS_PER_STEP === 0) yield;
  }
  return edges;
}

/** At least the `most` heaviest, with all that weigh as much as the last of them: few are sorted by their ends then. */
function heaviest(edges: GraphEdge[], most: number): GraphEdge[] {
  if (edges.length <= most) return edges;
  const least = Float64Array.from(edges, ({ weight }) => weight).sort()[edges.length - most]!;
  return edges.filter(({ weight }) => weight >= least);
}

function addPairs(names: readonly (readonly [string, MentionRow])[], pairs: Map<string, Place[]>): void {
  for (const [at, [one, row]] of names.entries()) {
    for (const [other, later] of names.slice(at + 1)) {
      const key = one < other ? `${one} ${other}` : `${other} ${one}`;
      const places = pairs.get(key) ?? [];
      places.push({ ...placeOf(row), char_end: Number(later.char_end) });
      pairs.set(key, places);
    }
  }
}

function npmi(both: number, one: number, other: number, all: number): number {
  if (both >= all) return 1;
  return Math.log((both * all) / (one * other)) / -Math.log(both / all);
}

function rounded(value: number): number {
  return Math.max(0.0001, Math.round(value * 10_000) / 10_000);
}

function byWeight(a: GraphEdge, b: GraphEdge): number {
  return (
    b.weight - a.weight || compare(a.source, b.source) || compare(a.target, b.target) || compare(a.relation, b.relation)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function placeOf(row: Pick<MentionRow, 'document_id' | 'chunk_id' | 'char_start' | 'char_end'>): Place {
  const { document_id, chunk_id, char_start, char_end } = row;
  return { document_id, chunk_id, char_start: Number(char_start), char_end: Number(char_end) };
}
