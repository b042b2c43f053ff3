const MOST_WORDS = 500;
/** More of an answer is not looked at: an error page may be long. */
const MOST_READ = 8_000;
/** Pieces of a key that are shorter say nothing; providers echo keys with their middle left out. */
const SHORTEST_PIECE = 8;
const REMOVED = '[removed]';
/** What looks like a credential, whosever it is. */
const CREDENTIALS = [
  /\b(?:bearer|basic)\s+[\w.~+/=*-]{6,}/gi,
  /\b(?:sk|pk|rk|co|hf|gsk|xai|key)[-_][\w*.-]{6,}/gi,
  /\beyJ[\w-]{8,}(?:\.[\w-]*)*/g,
  /([?&](?:api[-_]?key|key|token|access_token)=)[^&\s"']+/gi,
];
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * The words of a provider in a form that can be shown and logged: without the secrets, be they whole, encoded or in pieces, without anything that
 * looks like a credential, on one line, and with at most 500 characters.
 */
export function cleanWords(said: string, secrets: readonly string[]): string {
  let words = said.slice(0, MOST_READ);
  for (const form of secrets.filter((secret) => secret !== '').flatMap(formsOf)) words = removePieces(words, form);
  for (const credential of CREDENTIALS) words = words.replace(credential, REMOVED);
  return words
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, MOST_WORDS);
}

/** A secret as answers may write it. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  // In base64 a text looks different by where it is in what is encoded, as behind the name of basic authentication.
  const shifted = ['', 'a', 'aa'].map((before) => Buffer.from(before + secret).toString('base64'));
  const base64 = shifted.map((form) => form.slice(2).replace(/=+$/, '').slice(0, -1));
  const forms = [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    json,
    JSON.stringify(json).slice(1, -1),
    json.replaceAll('/', '\\/'),
    json.replace(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
    secret.replace(/[&<>"]/g, (one) => ENTITIES[one]!),
    bytes.toString('hex'),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  return [...new Set(forms.filter((form) => form !== ''))];
}

/**
 * Removes what of the text is in the secret, from `SHORTEST_PIECE` characters on, letters of both cases alike. A shorter secret is
 * removed as it is: it may be a common word. Takes time by the length of the two alone.
 */
function removePieces(text: string, secret: string): string {
  const size = Math.min(SHORTEST_PIECE, secret.length);
  const [folded, hidden] = size < SHORTEST_PIECE ? [text, secret] : [foldCase(text), foldCase(secret)];
  const pieces = new Set<string>();
  for (let at = 0; at + size <= hidden.length; at += 1) pieces.add(hidden.slice(at, at + size));
  let [cleaned, from, until] = ['', 0, 0];
  for (let at = 0; at + size <= folded.length; at += 1) {
    if (!pieces.has(folded.slice(at, at + size))) continue;
    if (at > until) {
      if (until > from) cleaned += REMOVED;
      cleaned += text.slice(until, at);
      from = at;
    }
    until = at + size;
  }
  return `${cleaned}${until > from ? REMOVED : ''}${text.slice(until)}`;
}

/** Of ASCII alone, so that the length stays. */
function foldCase(text: string): string {
  return text.replace(/[A-Z]/g, (one) => one.toLowerCase());
}
