import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '#libs/common';
import type { AuditLogEntity } from './audit-log.entity.js';

/** Fields that the hash of an entry covers, besides the hash of the previous entry. */
export interface HashedEntry {
  readonly tenantId: string;
  readonly seq: number;
  readonly event: string;
  readonly actor: string;
  readonly subject: string | null;
  readonly requestId: string;
  readonly details: JsonObject;
  /** RFC 3339 UTC with milliseconds. */
  readonly createdAt: string;
}

/** Where a chain ends: the number and hash of its last entry. */
export interface ChainHead {
  readonly id: number;
  readonly hash: string;
}

/** Record outside of the database that a chain had this entry at some time. */
export type ChainAnchor = ChainHead;

export const BREAK_REASONS = ['changed', 'missing', 'not_linked', 'unexpected', 'not_as_anchored'] as const;
export type BreakReason = (typeof BREAK_REASONS)[number];

/** The first entry that differs from what was written. */
export interface ChainBreak {
  readonly id: number;
  readonly reason: BreakReason;
  readonly detail: string;
}

/** The previous hash of the first entry. */
export const GENESIS_HASH = '0'.repeat(64);

/** SHA-256, in lower-case hexadecimal, of the previous hash and the entry as JSON with sorted members and without white space. */
export function hashOfEntry(previousHash: string, entry: HashedEntry): string {
  return createHash('sha256').update(previousHash).update(canonicalJson(entry)).digest('hex');
}

/**
 * Verifies a chain, entry by entry in the order of their numbers, against its hashes and against anchors. It detects entries that were changed,
 * removed, moved or inserted, and any rewriting of an anchored entry.
 */
export class ChainCheck {
  private last: ChainHead = { id: 0, hash: GENESIS_HASH };
  private counted = 0;
  private broken: ChainBreak | null = null;
  private readonly anchors: readonly ChainAnchor[];
  private nextAnchor = 0;

  constructor(anchors: readonly ChainAnchor[] = []) {
    this.anchors = anchors.toSorted((a, b) => a.id - b.id);
  }

  /** Takes the next entry. After the first broken one further entries are only counted. */
  add(row: AuditLogEntity): void {
    this.counted += 1;
    if (this.broken !== null) return;
    const id = Number(row.seq);
    this.broken = this.findBreak(id, row) ?? this.findDifferingAnchor(id, row.hash);
    this.last = { id, hash: row.hash };
  }

  /** What was found, after the last entry. */
  finish(): { readonly entries: number; readonly head: ChainHead | null; readonly broken: ChainBreak | null } {
    const beyond = this.anchors.at(-1);
    if (this.broken === null && beyond !== undefined && beyond.id > this.last.id) {
      const detail = `The chain ends with entry ${this.last.id}, but an anchor names entry ${beyond.id}: the entries after ${this.last.id} were removed.`;
      this.broken = { id: this.last.id + 1, reason: 'missing', detail };
    }
    return { entries: this.counted, head: this.last.id === 0 ? null : this.last, broken: this.broken };
  }

  private findBreak(id: number, row: AuditLogEntity): ChainBreak | null {
    const expected = this.last.id + 1;
    if (id < expected)
      return { id, reason: 'unexpected', detail: `An entry has the number ${id}; numbers begin at 1.` };
    if (id > expected) {
      const detail = `Entry ${expected} is missing: entry ${id} follows entry ${this.last.id}.`;
      return { id: expected, reason: 'missing', detail };
    }
    const isLinked = row.previous_hash === this.last.hash;
    if (hashOfEntry(row.previous_hash, toHashed(row)) !== row.hash) {
      return isLinked
        ? { id, reason: 'changed', detail: `Entry ${id} does not match its hash: it was changed.` }
        : { id, reason: 'not_linked', detail: notLinked(id) };
    }
    return isLinked ? null : { id, reason: 'not_linked', detail: notLinked(id) };
  }

  private findDifferingAnchor(id: number, hash: string): ChainBreak | null {
    for (; this.nextAnchor < this.anchors.length; this.nextAnchor += 1) {
      const anchor = this.anchors[this.nextAnchor]!;
      if (anchor.id > id) return null;
      if (anchor.hash === hash && anchor.id === id) continue;
      const detail = `Entry ${anchor.id} had another hash when it was anchored: it, or an entry before it, was rewritten.`;
      return { id: anchor.id, reason: 'not_as_anchored', detail };
    }
    return null;
  }
}

function notLinked(id: number): string {
  return `Entry ${id} does not continue the previous one: one of the two was changed, moved or replaced.`;
}

function toHashed(row: AuditLogEntity): HashedEntry {
  return {
    tenantId: row.tenant_id,
    seq: Number(row.seq),
    event: row.event,
    actor: row.actor,
    subject: row.subject,
    requestId: row.request_id,
    details: row.details,
    createdAt: timeOf(row.created_at),
  };
}

/** The service writes no other times than those that `Date` knows; someone else may have written `infinity`. */
function timeOf(value: Date): string {
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : String(value);
}
