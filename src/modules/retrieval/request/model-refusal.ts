import { catalogueErrorOf } from '#libs/common';

/** Code of the error by which a model, or what is around it, says no; undefined for a fault of our own. Pure. */
export function refusalOf(error: unknown): string | undefined {
  const known = catalogueErrorOf(error);
  return known?.status === 429 || known?.status === 503 ? known.code : undefined;
}
