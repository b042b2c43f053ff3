/** One setting: its name in the environment, what it means, and how its text becomes a value. */
export interface Setting<T> {
  readonly name: string;
  readonly description: string;
  /** What the example file shows; also the default when `fallback` is not a function. */
  readonly fallback: T;
  /** Turns text into a value, or throws an Error whose message says what is allowed. */
  readonly parse: (text: string) => T;
  /** True for values that must never be logged. */
  readonly secret?: boolean;
  readonly section: string;
}

type Describe = { readonly section: string; readonly description: string; readonly secret?: boolean };

export function text(name: string, fallback: string, about: Describe): Setting<string> {
  return { name, fallback, parse: (value) => value, ...about };
}

export function optionalText(name: string, about: Describe): Setting<string | undefined> {
  return { name, fallback: undefined, parse: (value) => (value === '' ? undefined : value), ...about };
}

export function oneOf<const V extends string>(
  name: string,
  allowed: readonly V[],
  fallback: NoInfer<V>,
  about: Describe,
): Setting<V> {
  return {
    name,
    fallback,
    parse: (value) => {
      const found = allowed.find((candidate) => candidate === value);
      if (found === undefined) throw new Error(`must be one of ${allowed.join(', ')}`);
      return found;
    },
    ...about,
  };
}

export function integer(
  name: string,
  fallback: number,
  range: { readonly min: number; readonly max: number; readonly orZero?: boolean },
  about: Describe,
): Setting<number> {
  return {
    name,
    fallback,
    parse: (value) => {
      const number = Number(value);
      const isInRange = (number >= range.min && number <= range.max) || (range.orZero === true && number === 0);
      if (!/^-?\d+$/.test(value) || !isInRange) {
        const zero = range.orZero === true ? '0 or ' : '';
        throw new Error(`must be ${zero}a whole number from ${range.min} to ${range.max}`);
      }
      return number;
    },
    ...about,
  };
}

export function url(name: string, protocols: readonly string[], about: Describe): Setting<string | undefined> {
  return {
    name,
    fallback: undefined,
    parse: (value) => {
      if (value === '') return undefined;
      requireUrl(value, protocols);
      return value;
    },
    ...about,
  };
}

/** @throws Error that says what is allowed, for a text that is no URL of these protocols with a host */
export function requireUrl(value: string, protocols: readonly string[]): void {
  const beginnings = protocols.map((protocol) => `${protocol}//`);
  if (!beginnings.some((beginning) => value.toLowerCase().startsWith(beginning))) {
    throw new Error(`must be a URL that begins with ${beginnings.join(' or ')}`);
  }
  if (URL.canParse(value) && !isCutInPassword(new URL(value))) return;
  throw new Error(
    value.includes('@')
      ? 'cannot be read as a URL: in a user name or password write % / ? # : @ as %25 %2F %3F %23 %3A %40, and the port as a number'
      : 'cannot be read as a URL: it needs a host, and the port is a number',
  );
}

/** A `/`, `?` or `#` of a password ends the host: what is behind it holds the `@` that should be in front of the host. */
function isCutInPassword({ username, pathname, search, hash }: URL): boolean {
  return username === '' && [pathname, search, hash].some((part) => part.includes('@'));
}

export function list(name: string, about: Describe): Setting<readonly string[]> {
  return {
    name,
    fallback: [],
    parse: (value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    ...about,
  };
}
