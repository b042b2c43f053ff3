/** A folder of Markdown files as the service reads them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MarkdownScanner } from '../../dist/libs/parsing/src/scanning/markdown-scanner.js';

const SEGMENT = 65_536;

/** @returns {{ name: string, text: string, blocks: object[] }[]} in the order of their names */
export function readCorpora(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      const blocks = [];
      const scanner = new MarkdownScanner((block) => blocks.push(block));
      scanner.feed(text);
      scanner.finish();
      return { name: name.slice(0, -3), text, blocks };
    });
}

/** The text in pieces with their blocks, as `chunkBlocks` takes it. */
export function* segmentsOf(text, blocks) {
  let next = 0;
  for (let start = 0; start < text.length; start += SEGMENT) {
    const end = Math.min(text.length, start + SEGMENT);
    const first = next;
    while (next < blocks.length && blocks[next].start < end) next++;
    yield { start, text: text.slice(start, end), blocks: blocks.slice(first, next) };
  }
}

/** UTF-16 offset of each code point, and of the end. */
export function unitsOfCodePoints(text) {
  const units = [];
  for (let at = 0; at < text.length; at += text.codePointAt(at) > 0xffff ? 2 : 1) units.push(at);
  units.push(text.length);
  return units;
}
