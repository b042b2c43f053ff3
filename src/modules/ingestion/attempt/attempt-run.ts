import type { RequestContext } from '#libs/tenancy';
import type { Attempt, BegunDocument, DocumentRow, DocumentWarning, IngestionStage } from '../../documents/index.js';
import { StageClock } from './stage-clock.js';

/** An attempt that has been begun. */
export interface BegunRun {
  readonly ctx: RequestContext;
  readonly attempt: Attempt;
  /** As it was begun. */
  readonly document: DocumentRow;
  /** Aborted when the lease is lost or the process stops. */
  readonly signal: AbortSignal;
  /** Warnings so far; the stages add to them. */
  readonly warnings: DocumentWarning[];
  readonly clock: StageClock;
}

export function begunRun(ctx: RequestContext, begun: BegunDocument, signal: AbortSignal): BegunRun {
  const clock = new StageClock(begun.databaseMs);
  return { ctx, attempt: begun.attempt, document: begun.row, signal, warnings: [], clock };
}

/** Part of the whole that a stage covers, in percent. */
export const STAGE_SPAN: Readonly<Record<IngestionStage, { readonly from: number; readonly to: number }>> = {
  parsing: { from: 0, to: 20 },
  chunking: { from: 20, to: 45 },
  embedding: { from: 45, to: 75 },
  vector_write: { from: 75, to: 99 },
};

/** Progress of a document of which a stage has done this share. */
export function progressWithin(stage: IngestionStage, share: number): number {
  const { from, to } = STAGE_SPAN[stage];
  return from + (to - from) * Math.min(1, share);
}
