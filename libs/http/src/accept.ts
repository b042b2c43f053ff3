/** Preference of a client for a media type, by `Accept` (RFC 9110, section 12.5.1). */
interface Preference {
  /** 0 to 1; -1: refused (`q=0`); 0: not named. */
  readonly quality: number;
  /** 3: named itself, 2: its kind (`text/*`), 1: any, 0: not at all. The most specific range decides. */
  readonly specificity: number;
}

const NOT_NAMED: Preference = { quality: 0, specificity: 0 };

/**
 * Whether the client wants events as a JSON list instead of a stream: when JSON has the greater weight, or the same weight and only JSON is
 * named. A browser's EventSource names `text/event-stream`; a client that names neither gets the stream.
 */
export function prefersJson(accept = ''): boolean {
  const json = preferenceFor(accept, 'application/json');
  const stream = preferenceFor(accept, 'text/event-stream');
  if (json.quality !== stream.quality) return json.quality > stream.quality;
  return json.quality > 0 && json.specificity > stream.specificity;
}

function preferenceFor(accept: string, type: string): Preference {
  let best = NOT_NAMED;
  for (const range of accept.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const specificity = specificityOf(name, type);
    if (specificity <= best.specificity) continue;
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '') ?? '1';
    // A weight that is none counts as not given.
    const quality = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 1;
    best = { quality: quality === 0 ? -1 : quality, specificity };
  }
  return best;
}

function specificityOf(range: string, type: string): number {
  if (range === type) return 3;
  if (range === `${type.split('/', 1)[0]!}/*`) return 2;
  return range === '*/*' || range === '*' ? 1 : 0;
}
