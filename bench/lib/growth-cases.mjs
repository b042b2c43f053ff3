/**
 * What `bench/growth.mjs` measures: each case prepares an input of a size and takes steps on it, each of which is given what the
 * one before gave.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORM_CASES } from './growth-forms.mjs';
import { TEXTS } from './growth-texts.mjs';
import { VALUE_CASES } from './growth-values.mjs';

const { parseDocument } = await import('../../dist/libs/parsing/src/child/parse-document.js');
const { readSegments } = await import('../../dist/libs/parsing/src/index.js');
const { chunkBlocks, detectLanguage } = await import('../../dist/libs/text/src/index.js');
const { encodeChunk } = await import('../../dist/libs/ranking/src/index.js');

/** Bytes of a text. The bound of an upload is far above: what grows too fast shows at this size. */
const TEXT_BYTES = 512 * 1024;

export const CASES = [...TEXTS.map(textCase), ...FORM_CASES, ...VALUE_CASES];

/** A file on its way through the pipeline: parsed, cut into chunks, its words counted. */
function textCase([name, fileName, textOf, bound = TEXT_BYTES]) {
  return {
    name,
    bound,
    prepare: async (size) => {
      const folder = await mkdtemp(join(tmpdir(), 'growth-'));
      const path = join(folder, fileName);
      await writeFile(path, await textOf(size));
      return { folder, path };
    },
    steps: [
      ['parse', ({ folder, path }) => parseDocument({ path, fileName, workDirectory: folder })],
      ['read', (parsed) => collect(readSegments(parsed))],
      ['chunk', async (segments) => ({ segments, chunks: await collect(chunkBlocks(segments)) })],
      ['words', countWords],
    ],
    after: ({ folder }) => rm(folder, { recursive: true, force: true }),
  };
}

function countWords({ segments, chunks }) {
  const text = segments.map((segment) => segment.text).join('');
  for (const { start, end, headingPath } of chunks)
    encodeChunk({ text: text.slice(start, end), title: 'Title', headings: headingPath });
  detectLanguage(text);
}

async function collect(source) {
  const all = [];
  for await (const one of source) all.push(one);
  return all;
}
