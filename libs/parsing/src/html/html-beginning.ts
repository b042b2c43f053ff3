/** Ends of elements whose text is not shown. Looked for in the text as it is: in lower case it may have another length. */
const ENDS = { script: /<\/script/giu, style: /<\/style/giu };
const NAME_MOST = 6;

/** The beginning of HTML with at most `maxUnits` characters of text between its tags; those of scripts and styles do not count. Linear. */
export function htmlBeginning(html: string, maxUnits: number): string {
  let [at, units] = [0, 0];
  for (;;) {
    const tag = html.indexOf('<', at);
    const end = tag < 0 ? html.length : tag;
    units += html.slice(at, end).trim().length;
    if (units > maxUnits) return html.slice(0, end - (units - maxUnits));
    const close = tag < 0 ? -1 : html.indexOf('>', tag);
    if (close < 0) return html;
    const name = html.slice(tag + 1, tag + 1 + NAME_MOST).toLowerCase();
    const ending = name.startsWith('script') ? ENDS.script : name.startsWith('style') ? ENDS.style : undefined;
    at = ending === undefined ? close + 1 : indexFrom(html, ending, close);
    if (at < 0) return html;
  }
}

function indexFrom(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}
