import { MemoryRelief } from './memory-relief.js';
import type { TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { IngestionPolicy } from '../ingestion-policy/index.js';
import type { Attempt, DocumentRow, DocumentWarning, IngestionStage } from '../documents/index.js';

/** One attempt on its way through the stages. */
export interface AttemptRun {
  readonly ctx: RequestContext;
  readonly attempt: Attempt;
  readonly document: DocumentRow;
  readonly policy: IngestionPolicy;
  /** Aborted when the lease is lost or the process stops. */
  readonly signal: AbortSignal;
  /** Warnings so far; the stages add to them. */
  readonly warnings: DocumentWarning[];
}

/** Part of the whole that a stage covers, in percent. */
export const STAGE_SPAN: Readonly<Record<IngestionStage, { readonly from: number; readonly to: number }>> = {
  parsing: { from: 0, to: 20 },
  chunking: { from: 20, to: 45 },
  embedding: { from: 45, to: 75 },
  vector_write: { from: 75, to: 99 },
};

/** A context of a transaction that holds the document's row. */
export type GuardedContext = TransactionContext;

const relief = new MemoryRelief();

/** Lets requests be served between two pieces of computing, and keeps memory down. */
export function breathe(): Promise<void> {
  relief.relieve();
  return new Promise((resolve) => setImmediate(resolve));
}
