/** The beginning of HTML with at most `maxUnits` characters of text between its tags; those of scripts and styles do not count. Linear. */
export function htmlBeginning(html: string, maxUnits: number): string {
  const lower = html.toLowerCase();
  let [at, units] = [0, 0];
  for (;;) {
    const tag = html.indexOf('<', at);
    const end = tag < 0 ? html.length : tag;
    units += html.slice(at, end).trim().length;
    if (units > maxUnits) return html.slice(0, end - (units - maxUnits));
    const close = tag < 0 ? -1 : html.indexOf('>', tag);
    if (close < 0) return html;
    const name = ['script', 'style'].find((skipped) => lower.startsWith(skipped, tag + 1));
    at = name === undefined ? close + 1 : lower.indexOf(`</${name}`, close);
    if (at < 0) return html;
  }
}
