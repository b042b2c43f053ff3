import { catalogueErrorOf } from '#libs/common';

/** Code of the error by which a model or its provider refuses; undefined for any other error. */
export function refusalOf(error: unknown): string | undefined {
  const known = catalogueErrorOf(error);
  return known?.status === 429 || known?.status === 503 ? known.code : undefined;
}
