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

/**
 * What a provider said, fit to be shown and logged: without the secrets, whole, encoded or in pieces, without anything that looks
 * like a credential, on one line, at most 500 characters.
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
  // In base64 a text looks different by where it stands in what is encoded, as behind the name of basic authentication.
  const shifted = ['', 'a', 'aa'].map((before) => Buffer.from(before + secret).toString('base64'));
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), bytes.toString('hex')];
  return [...new Set([...forms, ...shifted.map((form) => form.slice(2).replace(/=+$/, '').slice(0, -1))])];
}

/** Removes every run of the text that stands in the secret, from `SHORTEST_PIECE` characters on. */
function removePieces(text: string, secret: string): string {
  if (secret.length <= SHORTEST_PIECE) return secret === '' ? text : text.replaceAll(secret, REMOVED);
  let cleaned = '';
  for (let at = 0; at < text.length;) {
    let length = SHORTEST_PIECE;
    if (!secret.includes(text.slice(at, at + length)) || at + length > text.length) {
      cleaned += text[at];
      at += 1;
      continue;
    }
    while (at + length < text.length && secret.includes(text.slice(at, at + length + 1))) length += 1;
    cleaned += REMOVED;
    at += length;
  }
  return cleaned;
}
