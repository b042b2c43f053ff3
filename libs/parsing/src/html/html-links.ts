import { attribute, isElement, textOf, visit, type HtmlElement } from './html-elements.js';

/** Longer addresses carry tracking data, not a place to name. */
const MAX_ADDRESS_UNITS = 200;

/**
 * The address of a link as it belongs into the text: absolute ones of the web and of mail that the words of the link do not
 * name already. Links within a site mean nothing without the site.
 */
export function linkAddress(link: HtmlElement): string | undefined {
  const href = attribute(link, 'href')?.trim() ?? '';
  const address = /^mailto:/i.test(href) ? href.slice(7).replace(/\?.*$/s, '') : /^https?:\/\//i.test(href) ? href : '';
  if (address === '' || address.length > MAX_ADDRESS_UNITS || /\s/.test(address)) return undefined;
  const words = wordsOf(link);
  if (words === '' || bare(words) === bare(address)) return undefined;
  return address;
}

function wordsOf(link: HtmlElement): string {
  const parts: string[] = [];
  visit(link, (node) => {
    parts.push(textOf(node) ?? '');
    return isElement(node);
  });
  return parts.join('').trim();
}

function bare(address: string): string {
  return address
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/^www\./, '')
    .replace(/\/$/, '');
}
