import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Shorter parts of a key say nothing of it. */
const SHORTEST_PART = 12;

/** Keys of different shapes, all of which can be sent in a header. */
export const KEY_SHAPES: Readonly<Record<string, string>> = {
  'of OpenAI': 'sk-proj-4f9aQz_Lm81-TTxyv0Kq7WbN2c',
  'in hex, as of Azure': '9F3c0d1e5a7b48c2B6d4e8f01a2b3c4d',
  'in base64': 'q83vEjRWeJCrze8SNFZ4kA/+7fQ3ZwKk==',
  'with quotes': `he"llo'the\`re"4711'say"fri"end`,
  'with percent signs': '100%25%2Fpercent%%41key%zzQ%9',
  'with escapes': '\\u006b\\u0065y\\\\u{1F511}-\\x41\\n-lit',
  'with spaces': 'open sesame  and then  shut it again',
  'that is very long': Array.from({ length: 64 }, (_, n) => ((n + 7) * 2_654_435_761).toString(36)).join('-'),
  'that looks like a token': 'Bearer eyJhbGciOiJI.UzI1NiJ9x.abc_def-ghi',
  'with characters of addresses': "a1?b2=c3&d4#e5/f6:g7;h8@i9,j$k+l!m*n'(o)p[q]",
  'with characters of markup': 'x<key>&y="1"/z&amp;w{u}|v^t~s',
  'with accents': 'schlüssel-für-den-Anbieter-élève',
};

/** A key as it may be written somewhere: as it is, encoded, escaped, and its halves. */
export function formsOfKey(key: string): ReadonlyMap<string, Buffer> {
  const json = JSON.stringify(key).slice(1, -1);
  const percent = encodeURIComponent(key);
  const bytes = Buffer.from(key);
  const half = Math.ceil(key.length / 2);
  const forms: Record<string, string> = {
    raw: key,
    'first half': key.slice(0, half),
    'second half': key.slice(half),
    percent,
    'percent, small letters': percent.replace(/%../g, (code) => code.toLowerCase()),
    form: new URLSearchParams({ k: key }).toString().slice(2),
    json,
    'json in json': JSON.stringify(json).slice(1, -1),
    'json in ASCII': json.replace(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
    'json with slashes': json.replaceAll('/', '\\/'),
    html: key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    hex: bytes.toString('hex'),
    HEX: bytes.toString('hex').toUpperCase(),
    base64url: bytes.toString('base64url'),
  };
  // In base64 a text looks different by where it is in what is encoded; the outermost characters hold neighbours, too.
  for (const before of ['', ':', 'us', 'me:']) {
    const all = Buffer.from(`${before}${key}`).toString('base64').replace(/=+$/, '');
    forms[`base64 ${before}`] = all.slice(before === '' ? 0 : 4, -1);
  }
  const found = new Map<string, Buffer>();
  for (const [name, text] of Object.entries(forms)) {
    if (text.length >= SHORTEST_PART) found.set(name, Buffer.from(text));
  }
  found.set('latin-1', Buffer.from(key, 'latin1'));
  found.set('utf-16', Buffer.from(key, 'utf16le'));
  return found;
}

/** Looks for keys in whatever it is given, and says where it saw which. */
export class KeySearch {
  private readonly forms: readonly (readonly [string, Buffer])[];

  constructor(keys: readonly string[]) {
    this.forms = keys.flatMap((key) =>
      [...formsOfKey(key)].map(([name, form]) => [`${key.slice(0, 6)}… (${name})`, form] as const),
    );
  }

  /** What of the keys is in a text or in bytes. */
  in(place: string, content: string | Uint8Array): string[] {
    const bytes = Buffer.from(content as Uint8Array);
    return this.forms.flatMap(([name, form]) => (bytes.includes(form) ? [`${place}: ${name}`] : []));
  }

  /** What of the keys is in the files of a folder; `looked` is how many bytes there were. */
  async inFolder(folder: string): Promise<{ readonly found: string[]; readonly looked: number }> {
    const found: string[] = [];
    let looked = 0;
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      // Files come and go while a database runs.
      const bytes = await readFile(path).catch(() => Buffer.alloc(0));
      looked += bytes.length;
      found.push(...this.in(path.slice(folder.length + 1), bytes));
    }
    return { found, looked };
  }
}
