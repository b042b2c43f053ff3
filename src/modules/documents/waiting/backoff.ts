import { ModelFailure } from '#libs/ai';
import { CatalogueError, catalogueErrorOf, STORAGE_LOW, storageLowOf } from '#libs/common';
import { BUDGET_EXHAUSTED } from '../../usage/index.js';
import type { Wait } from '../record/attempt.js';

/** The work cannot continue now, for a reason that is not in the document; it should be resumed after `retryInMs`. */
export class Postponed extends Error {
  constructor(
    readonly reason: Exclude<Wait['reason'], 'retry_backoff'>,
    /** Code of the dependency's error. */
    readonly code: string,
    readonly retryInMs: number,
    cause?: unknown,
  ) {
    super(`Postponed for ${retryInMs} ms: ${code}`, { cause });
    this.name = 'Postponed';
  }
}

/** Time after which a budget is checked again if no event reports that it was raised. */
const BUDGET_LOOK_MS = 3_600_000;

/** The wait of a document whose tenant has used up its budget; undefined for any other error. The model itself is available. */
export function budgetWaitOf(error: unknown): Postponed | undefined {
  if (!(error instanceof CatalogueError) || error.code !== BUDGET_EXHAUSTED) return undefined;
  const untilPeriodEnds = (error.retryAfter ?? 0) * 1_000;
  return new Postponed('budget_exhausted', error.code, Math.min(untilPeriodEnds, BUDGET_LOOK_MS), error);
}

/** Time after which free space is checked again; while the service's own volume is low, no task is started anyway. */
const SPACE_LOOK_MS = 15_000;

/** The wait of a document for which there is no space, on the service's volume or at a server; undefined for any other error. */
export function spaceWaitOf(error: unknown): Postponed | undefined {
  if (error instanceof Postponed) return undefined;
  const low = storageLowOf(error);
  return low === undefined ? undefined : new Postponed('storage_low', low.code, SPACE_LOOK_MS, error);
}

/** The error (429, 503 or 507) by which a dependency says that the same call may succeed later; undefined for any other error. */
export function laterErrorOf(error: unknown): CatalogueError | undefined {
  if (error instanceof ModelFailure && !error.isTransient) return undefined;
  const known = catalogueErrorOf(error);
  return known?.status === 429 || known?.status === 503 || known?.code === STORAGE_LOW ? known : undefined;
}
