/** Where a link begins that needs no markup: a scheme with its slashes, or `www.`. */
export const URL_START = /[a-z][a-z0-9+.-]{0,30}:\/\/|www\./gi;
/** What belongs to such a link, up to white space, quotes and angle brackets. */
export const URL_REST = /^[^\s<>"'`“”„«»「」『』，。、；！？（）]*/u;
/** What ends a sentence or a bracket around a link, not the link. */
const TRAILING = /[.,;:!?\])}*_~|]+$/;
/** The destination and the title of a Markdown link, from its opening bracket on. */
export const DESTINATION =
  /^\(\s*(?:<([^<>\n]*)>|([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*))(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/;
const MAX_DESTINATION = 4_000;
const ATTRIBUTE = /\b(?:href|src|data|action|poster|srcset|cite)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const DEFINITION = /^[ \t]*\[[^\]\n]+\]:[ \t]*<?([^\s>]+)/gm;

/** A link that stands in running text, without the punctuation behind it; a closing bracket stays when it has an opening one. */
export function trimUrl(run: string): string {
  const trimmed = run.replace(TRAILING, '');
  const rest = run.slice(trimmed.length);
  const isOpen = trimmed.split('(').length > trimmed.split(')').length;
  return isOpen && rest.startsWith(')') ? `${trimmed})` : trimmed;
}

/** Every destination that texts hold, however it is written there: links, images, attributes, definitions, plain addresses. */
export function destinationsIn(texts: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const text of texts) {
    for (const pattern of [ATTRIBUTE, DEFINITION])
      for (const [, ...groups] of text.matchAll(pattern)) for (const group of groups) if (group) found.add(group);
    for (const { index } of text.matchAll(/\]\(/g)) {
      const [, bracketed, bare] = DESTINATION.exec(text.slice(index + 1, index + 1 + MAX_DESTINATION)) ?? [];
      if (bracketed ?? bare) found.add((bracketed ?? bare)!);
    }
    for (const { index } of text.matchAll(URL_START)) found.add(trimUrl(URL_REST.exec(text.slice(index))![0]));
  }
  return found;
}
