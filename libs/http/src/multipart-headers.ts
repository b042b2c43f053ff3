/** Parameters of a header by lower-case name, as the bytes that were sent. */
export type HeaderParameters = ReadonlyMap<string, Buffer>;

export interface PartHeaders {
  readonly name: string;
  readonly parameters: HeaderParameters;
  readonly contentType: string | undefined;
}

/** A token, and what may follow it: `"text"` with its escapes, or text up to the next semicolon. */
const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\[\s\S])*)"(?=\s*(?:;|$))|"([^"]*)"|([^;]*))/g;

/** Parameters of a header value, one byte for each character of `value`. Of two of one name the first holds. */
export function parseParameters(value: string): HeaderParameters {
  const parameters = new Map<string, Buffer>();
  for (const [, name, escaped, plain, token] of value.matchAll(PARAMETER)) {
    const key = name!.toLowerCase();
    if (parameters.has(key)) continue;
    // Only what must be escaped is: browsers send the backslashes of a Windows path as they are.
    const text = escaped?.replace(/\\(["\\])/g, '$1') ?? plain ?? token!.trim();
    parameters.set(key, Buffer.from(text, 'latin1'));
  }
  return parameters;
}

/** The headers of a part from their lines (one byte for each character); undefined when they do not name a form field. */
export function readPartHeaders(block: string): PartHeaders | undefined {
  const headers = new Map<string, string>();
  for (const line of block.replace(/\r\n[\t ]+/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0 || /[\r\n]/.test(line)) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    if (!headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  const disposition = headers.get('content-disposition');
  if (disposition === undefined || !/^form-data\s*(;|$)/i.test(disposition)) return undefined;
  const parameters = parseParameters(disposition);
  const name = parameters.get('name');
  if (name === undefined) return undefined;
  return { name: name.toString('utf8'), parameters, contentType: headers.get('content-type') };
}

/** Media type and encoding of a Content-Type. */
export function contentTypeOf(value: string | undefined): {
  readonly mediaType: string | undefined;
  readonly charset: string | undefined;
} {
  const mediaType = value?.split(';', 1)[0]?.trim().toLowerCase();
  return {
    mediaType: mediaType === '' ? undefined : mediaType,
    charset: parseParameters(value ?? '')
      .get('charset')
      ?.toString('latin1'),
  };
}
