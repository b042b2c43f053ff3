import { catalogueErrorOf, type CatalogueError } from '#libs/common';
import { TaskPostponed } from '#libs/tasks';

export const POSTPONED_MS = 10_000;
const MOST_POSTPONED_MS = 3_600_000;

/** Whether the same request may succeed later: a dependency is away, or a budget is used up. */
export function isTemporary({ status }: Pick<CatalogueError, 'status'>): boolean {
  return status >= 500 || status === 429;
}

/** The catalogue's error of a refusal that another try would meet again; undefined for any other failure. */
export function lastingRefusalOf(error: unknown): CatalogueError | undefined {
  const known = catalogueErrorOf(error);
  return known === undefined || isTemporary(known) ? undefined : known;
}

/** Postpones the task as long as the refusal asks for, with a maximum, since a budget may be raised before its month ends. */
export function postponement({ message, retryAfter = 0 }: CatalogueError): TaskPostponed {
  return new TaskPostponed(message, Math.min(MOST_POSTPONED_MS, Math.max(POSTPONED_MS, retryAfter * 1_000)));
}

/** Turns temporary failures into a postponement; any other error is thrown as it is. */
export function postponed(error: unknown): unknown {
  const known = catalogueErrorOf(error);
  return known !== undefined && isTemporary(known) ? postponement(known) : error;
}
