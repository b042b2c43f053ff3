/** Elements that HTML closes by itself. */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

/**
 * Makes XHTML safe for an HTML parser: `<title/>` or `<a id="x"/>` would stay open there and swallow what follows, and a
 * CDATA section would be a comment. Linear in the length of the text.
 */
export function xhtmlToHtml(xhtml: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let open = xhtml.indexOf('<'); open >= 0; open = xhtml.indexOf('<', at)) {
    parts.push(xhtml.slice(at, open));
    const end = endOfMarkup(xhtml, open);
    parts.push(convert(xhtml.slice(open, end)));
    at = end;
  }
  parts.push(xhtml.slice(at));
  return parts.join('');
}

function convert(markup: string): string {
  if (markup.startsWith('<![CDATA[')) {
    return markup.slice(9, -3).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  }
  if (!markup.endsWith('/>')) return markup;
  const name = /^<([a-zA-Z][\w:.-]*)/.exec(markup)?.[1];
  return name === undefined || VOID.has(name.toLowerCase()) ? markup : `${markup.slice(0, -2)}></${name}>`;
}

/** One past the end of the tag, comment or section that begins at `open`. */
function endOfMarkup(text: string, open: number): number {
  for (const [start, close] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?', '>'],
  ] as const) {
    if (text.startsWith(start, open)) return after(text, close, open + start.length);
  }
  if (!/[a-zA-Z/!]/.test(text[open + 1] ?? '')) return open + 1;
  let quote = '';
  for (let at = open + 1; at < text.length; at += 1) {
    const character = text[at]!;
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") {
      quote = character;
    } else if (character === '>') {
      return at + 1;
    } else if (character === '<') {
      return at;
    }
  }
  return text.length;
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}
