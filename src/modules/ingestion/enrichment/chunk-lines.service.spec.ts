import { beforeEach, describe, expect, it } from 'vitest';
import type { ChatDelta, ChatModel, ChatRequest } from '#libs/ai';
import type { Chunk } from '#libs/text';
import type { BegunRun } from '../attempt/attempt-run.js';
import type { ChunkLinesRepository } from '../../content/index.js';
import { ChunkLines } from './chunk-lines.service.js';

const POLICY = { context: 'llm', max_tokens: 64 } as const;
const SAME = 'It is cleaned in spring.';

let asked: string[];
let kept: Map<string, string>;
let model: ChatModel;
let rows: ChunkLinesRepository;
beforeEach(() => {
  [asked, kept] = [[], new Map()];
  const descriptor = { provider: 'test', model: 'writer', kind: 'generative' };
  async function* stream({ question }: ChatRequest): AsyncGenerator<ChatDelta> {
    asked.push(question);
    yield { kind: 'text', text: `Line ${asked.length}.` };
    yield { kind: 'finish', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 1 } };
  }
  model = { descriptor, stream } as unknown as ChatModel;
  rows = {
    find: async (_ctx: unknown, _id: unknown, _writer: unknown, hashes: readonly Buffer[]) =>
      new Map([...kept].filter(([key]) => hashes.some((hash) => hash.toString('hex') === key))),
    keep: async (_ctx: unknown, _id: unknown, _writer: unknown, hash: Buffer, line: string) =>
      void kept.set(hash.toString('hex'), line),
  } as unknown as ChunkLinesRepository;
});

const chunkOf = (text: string, headingPath: readonly string[] = []): Chunk =>
  ({ text, headingPath }) as unknown as Chunk;
const linesOf = (pieces: readonly (readonly Chunk[])[], title = 'Handbook'): Promise<readonly (string | null)[]> => {
  const run = { ctx: {}, document: {}, signal: new AbortController().signal } as unknown as BegunRun;
  const writer = new ChunkLines(model, rows).open(run, title, POLICY)!;
  return pieces.reduce<Promise<readonly (string | null)[]>>(
    async (before, piece, at) => [...(await before), ...(await writer.write(piece, pieces[at + 1]?.[0]))],
    Promise.resolve([]),
  );
};

describe('lines about chunks of one document', () => {
  const between = [chunkOf('The pump.'), chunkOf(SAME), chunkOf('The tank.'), chunkOf(SAME), chunkOf('The end.')];

  it('are written and stored for each place of a text that occurs several times', async () => {
    const lines = await linesOf([between]);
    expect(asked).toHaveLength(5);
    expect(new Set(lines).size).toBe(5);
    expect(await linesOf([between])).toEqual(lines);
    expect(asked).toHaveLength(5);
  });

  it('are requested once if the input of the model would be the same', async () => {
    const lines = await linesOf([Array.from({ length: 9 }, () => chunkOf(SAME))]);
    // The first has nothing before it, the last nothing after it.
    expect(asked).toHaveLength(3);
    expect(new Set(lines.slice(1, -1)).size).toBe(1);
  });

  it('are the same whether the chunks come at once or in pieces', async () => {
    const lines = await linesOf([between]);
    expect(await linesOf([between.slice(0, 2), between.slice(2)])).not.toContain(null);
    // The beginning of the document is taken from its first piece, which is long for any document that comes in pieces.
    kept.clear();
    asked.length = 0;
    const opening = chunkOf('Opening. '.repeat(400));
    const whole = await linesOf([[opening, ...between]]);
    expect(await linesOf([[opening, between[0]!], between.slice(1)])).toEqual(whole);
    expect(asked).toHaveLength(6);
    expect(lines).toHaveLength(5);
  });

  it.each<[string, readonly Chunk[], string?]>([
    ['name', between, 'Another handbook'],
    ['heading', between.map((chunk, at) => (at === 1 ? chunkOf(SAME, ['Care']) : chunk))],
    ['neighbour before', [between[0]!, between[1]!, chunkOf('The pool.'), between[3]!, between[4]!]],
  ])('are not reused when the %s has changed', async (_name, changed, title) => {
    const lines = await linesOf([between]);
    const later = await linesOf([changed], title);
    expect(asked.length).toBeGreaterThan(5);
    expect(later[1]).not.toBe(lines[1]);
  });
});
