import { describe, expect, it } from 'vitest';
import type { ChatDelta, ChatFinish, ChatModel, ChatRequest } from '../chat-model.port.js';

const QUESTION = 'How often must the pump be serviced?';

/** A request that every chat model can answer from its first source. */
export const ANSWERABLE_REQUEST: ChatRequest = {
  question: QUESTION,
  messages: [{ role: 'user', content: QUESTION }],
  sources: [
    {
      number: 1,
      title: 'Manual',
      text: 'The pump must be serviced every 500 hours by a trained technician.',
      score: 0.9,
    },
    { number: 2, title: 'Terms', text: 'Invoices are paid within thirty days of their receipt.', score: 0.2 },
  ],
};

async function collect(
  deltas: AsyncIterable<ChatDelta>,
): Promise<{ text: string; pieces: number; finish: ChatFinish[] }> {
  let text = '';
  let pieces = 0;
  const finish: ChatFinish[] = [];
  for await (const delta of deltas) {
    if (delta.kind === 'finish') finish.push(delta);
    else {
      expect(finish).toHaveLength(0);
      text += delta.text;
      pieces += 1;
    }
  }
  return { text, pieces, finish };
}

/** What every chat model does; `make` gives a fresh one. Remote adapters give one that talks to a double of their service. */
export function describeChatModel(name: string, make: () => ChatModel | Promise<ChatModel>): void {
  describe(`${name} as a ChatModel`, () => {
    it('describes itself with positive limits', async () => {
      const { descriptor } = await make();
      expect(descriptor.contextTokens).toBeGreaterThan(0);
      expect(descriptor.maxOutputTokens).toBeGreaterThan(0);
    });

    it('answers in several pieces, cites the source, and finishes exactly once with the usage', async () => {
      const { text, pieces, finish } = await collect((await make()).stream(ANSWERABLE_REQUEST));
      expect(text).toContain('500');
      expect(text).toContain('[1]');
      expect(pieces).toBeGreaterThan(1);
      expect(finish).toHaveLength(1);
      expect(finish[0]).toMatchObject({ finishReason: 'stop' });
      expect(finish[0]!.usage.promptTokens).toBeGreaterThan(0);
      expect(finish[0]!.usage.completionTokens).toBeGreaterThan(0);
    });

    it('stops at maxTokens and says so', async () => {
      const { finish } = await collect((await make()).stream({ ...ANSWERABLE_REQUEST, maxTokens: 5 }));
      expect(finish).toHaveLength(1);
      expect(finish[0]).toMatchObject({ finishReason: 'length' });
      expect(finish[0]!.usage.completionTokens).toBeLessThanOrEqual(5);
    });

    it('gives the beginning of the full answer when it is cut', async () => {
      const model = await make();
      const full = await collect(model.stream({ ...ANSWERABLE_REQUEST, temperature: 0 }));
      const cut = await collect(model.stream({ ...ANSWERABLE_REQUEST, temperature: 0, maxTokens: 8 }));
      expect(full.text.startsWith(cut.text)).toBe(true);
    });

    it('rejects with the reason of the signal, before the first piece and between two', async () => {
      const model = await make();
      const reason = new Error('the client left');
      await expect(collect(model.stream(ANSWERABLE_REQUEST, { signal: AbortSignal.abort(reason) }))).rejects.toBe(
        reason,
      );
      const controller = new AbortController();
      const deltas = model.stream(ANSWERABLE_REQUEST, { signal: controller.signal })[Symbol.asyncIterator]();
      expect(await deltas.next()).toMatchObject({ done: false, value: { kind: 'text' } });
      controller.abort(reason);
      await expect(deltas.next()).rejects.toBe(reason);
    });

    it('can be left after the first piece', async () => {
      const deltas = (await make()).stream(ANSWERABLE_REQUEST)[Symbol.asyncIterator]();
      await deltas.next();
      await deltas.return?.();
      expect(await deltas.next()).toMatchObject({ done: true });
    });
  });
}
