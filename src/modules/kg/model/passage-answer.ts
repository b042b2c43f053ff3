import { jsonObjectIn } from '#libs/ai';
import { GRAPH_ENTITY_TYPES, type GraphEntityType } from '../../ingestion-policy/index.js';
import { entityKeyOf } from '../entity-rules/entity-key.js';
import { MODEL_RELATIONS, type ModelRelation } from './graph-relations.js';
import { findName, type NamePlace } from './name-places.js';

const MAX_WRITTEN = 65_536;
const MAX_NAME = 100;
const MOST_ENTITIES = 80;
const MOST_ALIASES = 5;
const MOST_RELATIONS = 80;
/** Names further apart than this, in UTF-16 code units, are taken to be in different sentences. */
const MOST_APART = 600;

/** Element of a model's list that is left out, and why. */
export const DROPPED_ITEMS = [
  'entity.malformed',
  'entity.wrong_type',
  'entity.not_in_text',
  'relation.malformed',
  'relation.wrong_relation',
  'relation.unknown_end',
  'relation.not_in_text',
] as const;
export type DroppedItem = (typeof DROPPED_ITEMS)[number];
/**
 * Why a passage gives no rows. `malformed`: no list of entities in two answers. `refused`: the provider filters the passage. `rejected`: the
 * provider does not accept the request.
 */
export const SKIPPED_REASONS = ['malformed', 'refused', 'rejected'] as const;
export type SkippedReason = (typeof SKIPPED_REASONS)[number];

/** An entity that a passage names; names as the passage has them. */
export interface AnsweredEntity {
  readonly name: string;
  readonly type: GraphEntityType;
  readonly aliases: readonly string[];
}

/** Both ends, as indexes into the list of entities. */
export type AnsweredRelation = readonly [source: number, target: number, relation: ModelRelation];

/** The part of a model's answer about a passage that passed the checks; stored as it is. */
export type PassageAnswer =
  | {
      readonly entities: readonly AnsweredEntity[];
      readonly relations: readonly AnsweredRelation[];
      /** Number of omitted elements by reason. */
      readonly dropped: Readonly<Partial<Record<DroppedItem, number>>>;
    }
  | { readonly skipped: SkippedReason };

/**
 * Reads what a model wrote about a passage. An entity passes when the passage names it and its kind was requested; a relation passes when it
 * joins two such entities that are near each other by a relation of the list. Where the answer does not have the requested form at all, gives the
 * reason.
 */
export function readAnswer(
  written: string,
  passage: string,
  types: readonly GraphEntityType[],
): PassageAnswer | { readonly unreadable: string } {
  const root = jsonObjectIn(written.slice(0, MAX_WRITTEN).toWellFormed());
  if (root === undefined) return { unreadable: 'It is not one complete JSON object.' };
  const { entities: named, relations: told = [] } = root;
  if (!Array.isArray(named)) return { unreadable: '"entities" is not a list.' };
  if (!Array.isArray(told)) return { unreadable: '"relations" is not a list.' };
  const dropped: Partial<Record<DroppedItem, number>> = {};
  const drop = (reason: DroppedItem): void => void (dropped[reason] = (dropped[reason] ?? 0) + 1);
  const entities: AnsweredEntity[] = [];
  const indexOf = new Map<string, number>();
  for (const one of named.slice(0, MOST_ENTITIES) as readonly unknown[]) {
    const entity = entityOf(one, passage, types);
    if (typeof entity === 'string') drop(entity);
    else if (!indexOf.has(entityKeyOf(entity.name))) {
      for (const name of [entity.name, ...entity.aliases]) {
        const key = entityKeyOf(name);
        if (!indexOf.has(key)) indexOf.set(key, entities.length);
      }
      entities.push(entity);
    }
  }
  const places = entities.map(({ name, aliases }) => [name, ...aliases].flatMap((form) => findName(passage, form)));
  const relations = new Map<string, AnsweredRelation>();
  for (const one of told.slice(0, MOST_RELATIONS) as readonly unknown[]) {
    const relation = relationOf(one, indexOf, places);
    if (typeof relation === 'string') drop(relation);
    else relations.set(relation.join(' '), relation);
  }
  return { entities, relations: [...relations.values()], dropped };
}

/** The places of both ends that are nearest to each other; undefined where no pair is near enough. */
export function nearestPlaces(
  some: readonly NamePlace[],
  others: readonly NamePlace[],
): { readonly start: number; readonly end: number } | undefined {
  let best: { start: number; end: number } | undefined;
  for (const one of some) {
    for (const other of others) {
      if (one.start < other.end && other.start < one.end) continue;
      const [start, end] = [Math.min(one.start, other.start), Math.max(one.end, other.end)];
      if (end - start <= MOST_APART && (best === undefined || end - start < best.end - best.start))
        best = { start, end };
    }
  }
  return best;
}

function entityOf(
  value: unknown,
  passage: string,
  types: readonly GraphEntityType[],
): AnsweredEntity | Extract<DroppedItem, `entity.${string}`> {
  const { name, type, aliases } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (!isName(name) || typeof type !== 'string') return 'entity.malformed';
  const kind = GRAPH_ENTITY_TYPES.find((one) => one === type.toLowerCase());
  if (kind === undefined || !types.includes(kind)) return 'entity.wrong_type';
  const stands = standing(passage, name);
  if (stands === undefined) return 'entity.not_in_text';
  const further = (Array.isArray(aliases) ? aliases.slice(0, MOST_ALIASES) : []) as readonly unknown[];
  const forms = further.flatMap((alias) => (isName(alias) ? (standing(passage, alias) ?? []) : []));
  return { name: stands, type: kind, aliases: [...new Set(forms)].filter((form) => form !== stands) };
}

function relationOf(
  value: unknown,
  indexOf: ReadonlyMap<string, number>,
  places: readonly (readonly NamePlace[])[],
): AnsweredRelation | Extract<DroppedItem, `relation.${string}`> {
  const { source, target, relation } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof source !== 'string' || typeof target !== 'string') return 'relation.malformed';
  const word = MODEL_RELATIONS.find((one) => one === relation);
  if (word === undefined) return 'relation.wrong_relation';
  const [from, to] = [indexOf.get(entityKeyOf(source)), indexOf.get(entityKeyOf(target))];
  if (from === undefined || to === undefined || from === to) return 'relation.unknown_end';
  return nearestPlaces(places[from]!, places[to]!) === undefined ? 'relation.not_in_text' : [from, to, word];
}

/** A name as the passage has it at its first place. */
function standing(passage: string, name: string): string | undefined {
  const [place] = findName(passage, name);
  if (place === undefined || entityKeyOf(name) === '') return undefined;
  return passage.slice(place.start, place.end).replace(/\s+/gu, ' ');
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_NAME && /[\p{L}\p{N}]/u.test(value);
}
