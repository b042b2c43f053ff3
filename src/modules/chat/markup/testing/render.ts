import * as commonmark from 'commonmark';
import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;

/** How pages show Markdown: the renderers of the property test, with everything on that makes an answer do more. */
export const RENDERERS: Readonly<Record<string, (markdown: string) => string>> = {
  'markdown-it with HTML': (text) => new MarkdownIt({ html: true }).render(text),
  'markdown-it with HTML and bare addresses': (text) => new MarkdownIt({ html: true, linkify: true }).render(text),
  commonmark: (text) => new commonmark.HtmlRenderer().render(new commonmark.Parser().parse(text)),
  marked: (text) => marked.parse(text, { async: false }),
};

/** What only the structure of a text makes, not its links. */
const STRUCTURE = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li table thead tbody tr th td em strong code pre br del blockquote hr'.split(' '),
);
const HARMLESS_ATTRIBUTES = new Set(['align', 'start', 'class']);

/** What a page that shows this HTML would load, run or lead to: elements and attributes beyond text, links with their destination. */
export function activeParts(html: string): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if ('tagName' in node) {
      const { tagName, attrs, childNodes } = node;
      if (tagName === 'a') found.push(`a ${attrs.find(({ name }) => name === 'href')?.value ?? ''}`);
      else if (!STRUCTURE.has(tagName)) found.push(tagName);
      else found.push(...attrs.filter((one) => !isHarmless(one)).map(({ name }) => `${tagName} ${name}`));
      childNodes.forEach(visit);
    } else if (node.nodeName === '#comment') found.push('comment');
  };
  parseFragment(html).childNodes.forEach(visit);
  return found;
}

/** What every renderer makes of a text beyond structure, each with the renderer's name; links for which `isAllowed` is true left out. */
export function activeIn(markdown: string, isAllowed: (href: string) => boolean = () => false): string[] {
  return Object.entries(RENDERERS).flatMap(([name, render]) =>
    activeParts(render(markdown))
      .filter((part) => !(part.startsWith('a ') && isAllowed(part.slice(2))))
      .map((part) => `${name}: ${part}`),
  );
}

/** The text that a page shows. */
export function shownText(html: string): string {
  const textOf = (node: Node): string =>
    'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
  return parseFragment(html).childNodes.map(textOf).join('');
}

function isHarmless({ name, value }: { readonly name: string; readonly value: string }): boolean {
  return HARMLESS_ATTRIBUTES.has(name) || (name === 'style' && /^text-align:(?:left|right|center)$/.test(value));
}
