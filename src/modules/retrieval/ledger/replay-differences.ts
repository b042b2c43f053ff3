import type { JsonObject } from '#libs/common';
import { canonicalJson } from '#libs/common';
import type { KeptResult, SearchedDataset } from './request-ledger.entity.js';

/** A result in its place, from 1. */
export interface PlacedResult extends KeptResult {
  readonly rank: number;
}

/** A result that both answers hold, somewhere else or with another score. */
export interface ChangedResult extends Omit<KeptResult, 'score'> {
  readonly before: { readonly rank: number; readonly score: number };
  readonly after: { readonly rank: number; readonly score: number };
}

/** Differences between two answers to the same question; chunks are equal when their ids are. */
export interface AnswerDifferences {
  /** In the later answer only, by rank. */
  readonly added: readonly PlacedResult[];
  /** In the earlier answer only, by rank. */
  readonly removed: readonly PlacedResult[];
  /** At another rank in the later answer, by its rank there. */
  readonly moved: readonly ChangedResult[];
  /** With another score in the later answer, at whatever rank, by its rank there. */
  readonly rescored: readonly ChangedResult[];
}

/** Compares an earlier answer with a later one. */
export function compareAnswers(before: readonly PlacedResult[], after: readonly PlacedResult[]): AnswerDifferences {
  const earlier = new Map(before.map((result) => [result.chunk_id, result]));
  const later = new Set(after.map(({ chunk_id }) => chunk_id));
  const both = after.flatMap((result): ChangedResult[] => {
    const old = earlier.get(result.chunk_id);
    if (old === undefined) return [];
    const { rank, score, ...place } = result;
    return [{ ...place, before: { rank: old.rank, score: old.score }, after: { rank, score } }];
  });
  return {
    added: after.filter(({ chunk_id }) => !earlier.has(chunk_id)),
    removed: before.filter(({ chunk_id }) => !later.has(chunk_id)),
    moved: both.filter((result) => result.before.rank !== result.after.rank),
    rescored: both.filter((result) => result.before.score !== result.after.score),
  };
}

/** Results with their places. */
export function placed(results: readonly KeptResult[]): PlacedResult[] {
  return results.map((result, index) => ({ ...result, rank: index + 1 }));
}

/** A dataset whose visible content changed between two moments. */
export interface ChangedContent {
  readonly dataset_id: string;
  /** `content_seq` of either moment. */
  readonly before: string;
  readonly after: string;
}

/** Datasets whose content changed; those that are missing later are left out. */
export function compareContents(
  before: readonly SearchedDataset[],
  after: ReadonlyMap<string, string>,
): ChangedContent[] {
  return before.flatMap(({ id, content_seq }) => {
    const now = after.get(id);
    return now === undefined || now === content_seq ? [] : [{ dataset_id: id, before: content_seq, after: now }];
  });
}

/** The parts of a configuration that differ, by name. The datasets count only when `before` had others that are still there. */
export function compareConfigs(before: JsonObject, after: JsonObject): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => canonicalJson(before[name]) !== canonicalJson(after[name])).toSorted();
}
