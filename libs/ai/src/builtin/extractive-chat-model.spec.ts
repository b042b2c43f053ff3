import { describe, expect, it } from 'vitest';
import { ANSWERABLE_REQUEST } from '../testing/describe-chat-model.js';
import type { ChatDelta } from '../chat-model.port.js';
import { ExtractiveChatModel } from './extractive-chat-model.js';

async function collect(stream: AsyncIterable<ChatDelta>): Promise<ChatDelta[]> {
  const deltas: ChatDelta[] = [];
  for await (const delta of stream) deltas.push(delta);
  return deltas;
}

function run(answer: string | null, maxTokens?: number): Promise<ChatDelta[]> {
  const model = new ExtractiveChatModel(function* () {
    yield;
    return answer === null ? null : { answer };
  });
  return collect(model.stream({ ...ANSWERABLE_REQUEST, maxTokens }));
}

function textOf(deltas: readonly ChatDelta[]): string {
  return deltas.map((delta) => (delta.kind === 'text' ? delta.text : '')).join('');
}

describe('ExtractiveChatModel', () => {
  it('refuses without any text when the sources do not answer', async () => {
    const deltas = await run(null);
    expect(deltas).toEqual([
      {
        kind: 'finish',
        finishReason: 'refusal',
        usage: { promptTokens: expect.any(Number), completionTokens: 0, isEstimated: true, requests: 1 },
      },
    ]);
  });

  it('quotes a row that is far below the header of its table with the names of its columns', async () => {
    const headings = ['Stock', 'Number | Part | Supplier'];
    const text = 'M-0303 | Benzine | Stade Chemistry\nM-0304 | Neodymium magnet | Magnet World';
    const sources = [{ number: 1, title: 'stock.csv', score: 1, text, headings }];
    const question = 'Who is the supplier of the neodymium magnet?';
    const request = { ...ANSWERABLE_REQUEST, sources, question };
    expect(textOf(await collect(new ExtractiveChatModel().stream(request)))).toBe(
      'Number: M-0304; Part: Neodymium magnet; Supplier: Magnet World. [1]',
    );
  });

  it('refuses a question that has nothing to do with the sources', async () => {
    const request = { ...ANSWERABLE_REQUEST, question: 'Who composed the opera Carmen?' };
    const deltas = await collect(new ExtractiveChatModel().stream(request));
    expect(deltas.at(-1)).toMatchObject({ finishReason: 'refusal' });
    expect(textOf(deltas)).toBe('');
  });

  it.each([
    'Serviced every 500 hours [1]. Paid within thirty days [2][3].\n',
    '  leading space, and a blank line\n\nbehind it [12]  ',
    '水泵每五百小时保养一次，并且必须由受过训练的技术人员进行检查和维修，否则保修失效[1]。第二句话[2]。',
    '🚀'.repeat(60),
  ])('gives the answer unchanged in pieces, each marker in one piece: %s', async (answer) => {
    const deltas = await run(answer);
    expect(textOf(deltas)).toBe(answer);
    const markers = deltas.filter((delta) => delta.kind === 'text' && /\[\d+\]$/.test(delta.text));
    expect(markers).toHaveLength(answer.match(/\[\d+\]/g)?.length ?? 0);
    expect(deltas.length).toBeGreaterThan(2);
  });

  it('never writes more tokens than asked for', async () => {
    for (let maxTokens = 1; maxTokens <= 12; maxTokens++) {
      const finish = (await run('The pump must be serviced every 500 hours [1].', maxTokens)).at(-1);
      expect(finish?.kind === 'finish' && finish.usage.completionTokens <= maxTokens).toBe(true);
    }
  });

  it('says stop when the answer fits exactly', async () => {
    const full = (await run('Every 500 hours [1].')).at(-1);
    const tokens = full?.kind === 'finish' ? full.usage.completionTokens : 0;
    expect((await run('Every 500 hours [1].', tokens)).at(-1)).toMatchObject({ finishReason: 'stop' });
    expect((await run('Every 500 hours [1].', tokens - 1)).at(-1)).toMatchObject({ finishReason: 'length' });
  });
});
