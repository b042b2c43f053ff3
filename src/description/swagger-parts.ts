/** A part of a description, or all of it. */
export type Part = Record<string, unknown>;

/**
 * The part of the description at `path` with everything that it refers to, at the same places. Runs in the browser: it is sent as text, so
 * it must not use other names of this file.
 */
export function partOf(whole: Part, path: readonly string[]): Part {
  const part: Part = { paths: {} };
  for (const name of ['openapi', 'info', 'servers', 'security', 'jsonSchemaDialect']) {
    if (name in whole) part[name] = whole[name];
  }
  const take = (steps: readonly string[]): void => {
    let from: Part | undefined = whole;
    let to = part;
    for (const step of steps.slice(0, -1)) {
      from = from[step] as Part | undefined;
      if (from === undefined) return;
      to = (to[step] ??= {}) as Part;
    }
    const last = steps.at(-1)!;
    if (from[last] === undefined || to[last] === from[last]) return;
    to[last] = from[last];
    takeReferred(from[last]);
  };
  const takeReferred = (value: unknown): void => {
    if (typeof value === 'string' && value.startsWith('#/')) {
      const steps = decodeURIComponent(value.slice(2)).split('/');
      take(steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')));
    } else if (value !== null && typeof value === 'object') Object.values(value).forEach(takeReferred);
  };
  take(path);
  return part;
}
