/** The heading that the reader of mails puts above a quotation. */
const QUOTED = /^Quoted(?:: .*)?$/m;

/**
 * From where on a text says what somebody else said before: what a mail quotes. 0 below the heading of a quotation (`headings`, outermost first),
 * Infinity where it quotes nothing.
 */
export function quotationStart(text: string, headings: readonly string[]): number {
  if (headings.some((heading) => QUOTED.test(heading))) return 0;
  return QUOTED.exec(text)?.index ?? Infinity;
}
