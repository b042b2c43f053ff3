/** A cookie that is sent only to this service's origin and that scripts cannot read. */
export interface HttpOnlyCookie {
  readonly name: string;
  /** Text of the characters of base64url and `_`, `.`; empty takes the cookie away. */
  readonly value: string;
  /** The only path, with all below it, that it is sent to. */
  readonly path: string;
  readonly sameSite: 'Strict' | 'Lax';
  /** Whether it is sent over TLS alone. */
  readonly isSecure: boolean;
  /** For how long it is kept, in seconds. */
  readonly maxAgeSeconds: number;
}

/** The cookie as a header of an answer has it (RFC 6265, section 4.1). */
export function formatCookie(cookie: HttpOnlyCookie): string {
  const { name, value, path, sameSite, isSecure, maxAgeSeconds } = cookie;
  const parts = [`${name}=${value}`, `Path=${path}`, `Max-Age=${value === '' ? 0 : maxAgeSeconds}`, 'HttpOnly'];
  return [...parts, ...(isSecure ? ['Secure'] : []), `SameSite=${sameSite}`].join('; ');
}

/** The value of a cookie of a `Cookie` header, the first of that name; undefined where there is none or it is empty. */
export function findCookie(header: string | undefined, name: string): string | undefined {
  const pairs = header?.split(';') ?? [];
  const found = pairs.map((pair) => pair.trim()).find((pair) => pair.startsWith(`${name}=`));
  const value = found?.slice(name.length + 1) ?? '';
  return value === '' ? undefined : value;
}
