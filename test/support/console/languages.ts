import type { Page, Response } from 'playwright-core';
import { MARKS } from './visitor.js';

/** What is the same in every language: names of products and languages, a key of the keyboard; and a word that react-aria says in its own catalogue. */
const CONSTANTS = new Set(
  'knowledge base/enter/english/deutsch/chrome/node.js/typescript/python/markdown/word/excel/powerpoint/outlook/jupyter/schließen'.split(
    '/',
  ),
);
const LEAST_LETTERS = 3;
/** A piece of this length is of a document where it is in one; a shorter one has to be the whole of something. */
const LONG = 12;

/** Everything that the service has said to a page: names, texts, reasons. */
export class Heard {
  private readonly whole = new Set<string>();
  private all = '';

  listen(page: Page): void {
    page.on('response', (response) => void this.take(response));
  }

  private async take(response: Response): Promise<void> {
    if (!new URL(response.url()).pathname.startsWith('/api/')) return;
    const type = response.headers()['content-type'] ?? '';
    if (!/json|event-stream|text\/plain/.test(type)) return;
    // An answer whose page is gone has no body any more, and shows nothing.
    const body = await response.text().catch(() => '');
    if (/event-stream/.test(type)) this.takeStream(body);
    else if (/json/.test(type) && body !== '') this.keep(JSON.parse(body));
    else this.add(body);
  }

  private takeStream(body: string): void {
    let text = '';
    for (const line of body.split('\n')) {
      if (!line.startsWith('data: {')) continue;
      const event = JSON.parse(line.slice('data: '.length)) as {
        choices?: readonly { delta?: { content?: string } }[];
      };
      this.keep(event);
      text += event.choices?.[0]?.delta?.content ?? '';
    }
    this.add(text);
  }

  private keep(value: unknown): void {
    if (typeof value === 'string') this.add(value);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        this.add(name);
        this.keep(inner);
      }
    }
  }

  add(text: string): void {
    const shown = normal(text);
    this.whole.add(shown);
    this.all += `\n${shown}`;
    for (const part of shown.split(/[/.@\s]+/)) if (/\d|\W/.test(part) || part.length < 6) this.whole.add(part);
  }

  has(piece: string): boolean {
    const shown = normal(piece);
    return this.whole.has(shown) || (shown.length >= LONG && this.all.includes(shown));
  }
}

const normal = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().toLowerCase();

/** What a page says that is neither of the catalogue, where each text is marked, nor said by the service. */
export async function foreignTexts(page: Page, heard: Heard): Promise<readonly string[]> {
  const marked = new RegExp(`${MARKS[0]}[^${MARKS.join('')}]*${MARKS[1]}`, 'g');
  const found = new Set<string>();
  for (const text of await page.evaluate<readonly string[]>('eyes.shownTexts()')) {
    let rest = text;
    for (let before = ''; before !== rest;) {
      before = rest;
      rest = rest.replaceAll(marked, '\n');
    }
    for (const piece of rest.split(/[\n·…,]/)) {
      const isWord = (piece.match(/\p{L}/gu) ?? []).length >= LEAST_LETTERS;
      if (isWord && !CONSTANTS.has(normal(piece)) && !isDate(piece) && !heard.has(piece)) found.add(piece.trim());
    }
  }
  return [...found];
}

const isDate = (piece: string): boolean => /^[\s\d.:]*\p{L}{3,9}\.?[\s\d]*$/u.test(piece) && /\d/.test(piece);
