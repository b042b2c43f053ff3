import { canonicalJson, type JsonObject } from '#libs/common';
import type { MissFix, MissRecord } from './job-spec.js';

/** Misses of one variant with one cause. */
export interface MissGroup {
  readonly code: string;
  /** Places of the cases. */
  readonly ordinals: readonly number[];
  /** The change that was seen to help most of them; null where none was. */
  readonly proposal: MissFix | null;
}

/** Misses by cause, most frequent first. */
export function groupMisses(misses: readonly { readonly ordinal: number; readonly miss: MissRecord }[]): MissGroup[] {
  const groups = new Map<string, { ordinals: number[]; records: MissRecord[] }>();
  for (const { ordinal, miss } of misses) {
    const group = groups.get(miss.code) ?? { ordinals: [], records: [] };
    group.ordinals.push(ordinal);
    group.records.push(miss);
    groups.set(miss.code, group);
  }
  return [...groups]
    .map(([code, { ordinals, records }]) => ({ code, ordinals, proposal: proposalOf(records) }))
    .sort((a, b) => b.ordinals.length - a.ordinals.length || (a.code < b.code ? -1 : 1));
}

/** Of the changes with one action those of the widest reach are joined: the largest `top_k`, the smallest threshold. */
function proposalOf(records: readonly MissRecord[]): MissFix | null {
  const byAction = new Map<string, MissFix[]>();
  for (const { fixes } of records)
    for (const action of new Set(fixes.map((fix) => fix.action))) {
      const fix = fixes.find((one) => one.action === action)!;
      byAction.set(action, [...(byAction.get(action) ?? []), fix]);
    }
  const [best] = [...byAction].sort(([, a], [, b]) => b.length - a.length);
  return best === undefined ? null : { action: best[0], change: joined(best[1].map(({ change }) => change)) };
}

function joined(changes: readonly JsonObject[]): JsonObject {
  const usual = mostFrequent(changes);
  const numbers = (name: string): number[] =>
    changes.flatMap(({ [name]: value }) => (typeof value === 'number' ? [value] : []));
  const [topK, thresholds] = [numbers('top_k'), numbers('score_threshold')];
  return {
    ...usual,
    ...(topK.length > 0 ? { top_k: Math.max(...topK) } : {}),
    ...(thresholds.length > 0 ? { score_threshold: Math.min(...thresholds) } : {}),
  };
}

function mostFrequent(changes: readonly JsonObject[]): JsonObject {
  const counts = new Map<string, { change: JsonObject; n: number }>();
  for (const change of changes) {
    const key = canonicalJson(change);
    counts.set(key, { change, n: (counts.get(key)?.n ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => b.n - a.n)[0]?.change ?? {};
}
