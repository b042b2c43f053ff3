import { ModelFailure } from '#libs/ai';
import { CatalogueError, catalogueErrorOf, STORAGE_LOW, storageLowOf } from '#libs/common';
import { BUDGET_EXHAUSTED } from '../../usage/index.js';
import type { Wait } from '../record/attempt.js';

/** The work cannot go on now through no fault of the document; it is to be taken up again after `retryInMs`. */
export class Postponed extends Error {
  constructor(
    readonly reason: Exclude<Wait['reason'], 'retry_backoff'>,
    /** Code of the error that the dependency gave. */
    readonly code: string,
    readonly retryInMs: number,
    cause?: unknown,
  ) {
    super(`Postponed for ${retryInMs} ms: ${code}`, { cause });
    this.name = 'Postponed';
  }
}

/** A budget is looked at again after this time, should no one have said that it was raised. */
const BUDGET_LOOK_MS = 3_600_000;

/** The wait of a document whose tenant has used up its budget; undefined for any other error. It is no trouble of the model's. */
export function budgetWaitOf(error: unknown): Postponed | undefined {
  if (!(error instanceof CatalogueError) || error.code !== BUDGET_EXHAUSTED) return undefined;
  const untilPeriodEnds = (error.retryAfter ?? 0) * 1_000;
  return new Postponed('budget_exhausted', error.code, Math.min(untilPeriodEnds, BUDGET_LOOK_MS), error);
}

/** Space is looked at again after this time; while our own volume is low, nothing is taken up anyway. */
const SPACE_LOOK_MS = 15_000;

/** The wait of a document for which there is no space, on our volume or at a server; undefined for any other error. */
export function spaceWaitOf(error: unknown): Postponed | undefined {
  if (error instanceof Postponed) return undefined;
  const low = storageLowOf(error);
  return low === undefined ? undefined : new Postponed('storage_low', low.code, SPACE_LOOK_MS, error);
}

/** The error by which a dependency says that the same call may succeed later, 429, 503 or 507; undefined when it says nothing of the kind. */
export function laterErrorOf(error: unknown): CatalogueError | undefined {
  if (error instanceof ModelFailure && !error.isTransient) return undefined;
  const known = catalogueErrorOf(error);
  return known?.status === 429 || known?.status === 503 || known?.code === STORAGE_LOW ? known : undefined;
}
