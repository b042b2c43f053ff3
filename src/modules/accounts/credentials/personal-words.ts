/** Parts of a name or an address that people put into passwords. */
const SEPARATORS = /[^\p{L}\p{N}]+/u;

/** The words of texts that are known of an account, each text whole and in parts: its e-mail address, the name of its tenant. */
export function personalWords(...texts: readonly string[]): readonly string[] {
  const words = texts.flatMap((text) => [text, ...text.split('@'), ...text.split(SEPARATORS)]);
  return [...new Set(words.map((word) => word.trim().toLowerCase()))].filter((word) => word.length > 1);
}
