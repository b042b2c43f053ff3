import type { RequestContext } from '#libs/tenancy';
import type { Attempt, BegunDocument, DocumentRow, DocumentWarning, IngestionStage } from '../../documents/index.js';
import { StageClock } from './stage-clock.js';

/** A running attempt. */
export interface BegunRun {
  readonly ctx: RequestContext;
  readonly attempt: Attempt;
  /** The document's row at the beginning. */
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

/** Range of the overall progress that a stage covers, in percent. */
export const STAGE_SPAN: Readonly<Record<IngestionStage, { readonly from: number; readonly to: number }>> = {
  parsing: { from: 0, to: 20 },
  chunking: { from: 20, to: 45 },
  embedding: { from: 45, to: 75 },
  vector_write: { from: 75, to: 99 },
};

/** Progress of a document, in percent, when this share of a stage is done. */
export function progressWithin(stage: IngestionStage, share: number): number {
  const { from, to } = STAGE_SPAN[stage];
  return from + (to - from) * Math.min(1, share);
}
