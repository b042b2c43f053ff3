import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Block, FormatParser } from 'knowledge-base-service/extension';
import { afterAll, beforeAll, expect, it } from 'vitest';
import parseNote from '../src/format/note.parser.js';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'notes-'));
});

afterAll(() => rm(directory, { recursive: true }));

async function parse(content: string | Uint8Array) {
  const path = join(directory, 'a.note');
  await writeFile(path, content);
  let text = '';
  const blocks: Block[] = [];
  const output = {
    get position() {
      return text.length;
    },
    writeText: (piece: string) => void (text += piece),
    writeBlock: (block: Block) => void blocks.push(block),
  };
  const [input, written] = [{ path }, output] as unknown as Parameters<FormatParser>;
  const { title } = await parseNote(input, written);
  return { title, blocks: blocks.map(({ kind, start, end }) => [kind, text.slice(start, end)]) };
}

it('gives the title as a heading and the rest as paragraphs', async () => {
  expect(await parse('NOTE\r\nPump\r\n\r\nFirst line\r\nsecond line\r\n\r\nLast\r\n')).toEqual({
    title: 'Pump',
    blocks: [
      ['heading', 'Pump'],
      ['paragraph', 'First line\nsecond line'],
      ['paragraph', 'Last'],
    ],
  });
});

it.each([
  ['no mark', 'HELLO\nPump\n', /must be NOTE/u],
  ['no title', 'NOTE\n', /before its title/u],
  ['an empty title', 'NOTE\n\nText\n', /1 to 200 characters/u],
  ['nothing', '', /before its title/u],
  ['another charset', Buffer.from('NOTE\nÖl\n', 'latin1'), /Line 2 is not written in UTF-8/u],
])('refuses a file with %s', async (_name, content, detail) => {
  await expect(parse(content)).rejects.toMatchObject({ code: 'MALFORMED', detail: expect.stringMatching(detail) as string });
});
