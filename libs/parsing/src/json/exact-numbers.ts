/** Begins a string that represents a number; a private character, so that no text begins like this by accident. */
export const NUMBER_MARK = '\uE04Bn:';

/** Deeper documents are read as plain text. */
const MAX_DEPTH = 128;
const NUMBER = /-?\d[\d.eE+-]*/y;
const GRAMMAR = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Turns the numbers of a JSON text that JavaScript would change (`1.50`, integers beyond 2^53) into marked strings.
 * Undefined when brackets are nested too deeply. Strings are passed over; nothing else is checked.
 */
export function markExactNumbers(text: string): string | undefined {
  const parts: string[] = [];
  let copied = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) {
      at = endOfString(text, at);
    } else if (unit === 0x5b || unit === 0x7b) {
      depth += 1;
      if (depth > MAX_DEPTH) return undefined;
    } else if (unit === 0x5d || unit === 0x7d) {
      depth -= 1;
    } else if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) {
      NUMBER.lastIndex = at;
      const token = NUMBER.exec(text)?.[0] ?? text[at]!;
      if (String(Number(token)) !== token && GRAMMAR.test(token)) {
        parts.push(text.slice(copied, at), `"${NUMBER_MARK}${token}"`);
        copied = at + token.length;
      }
      at += token.length - 1;
    }
  }
  return copied === 0 ? text : parts.join('') + text.slice(copied);
}

/** Index of the quote that closes the string opened at `start`; the text's length when none does. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
