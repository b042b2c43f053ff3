import { describe, expect, it } from 'vitest';
import type { ChatDelta, ChatModel } from '../chat-model.port.js';
import type { Embedder } from '../embedder.port.js';
import type { Reranker } from '../reranker.port.js';
import { ANSWERABLE_REQUEST } from './describe-chat-model.js';
import { describeRemoteFailures, type FailingProvider } from './describe-remote-failures.js';
import type { Fault } from './doubles/fault.js';

/** A model of a port and the server that it asks. The model was opened with `key`, and gives a silent server up within a second. */
export interface RemoteModelUnderTest<Port> {
  readonly model: Port;
  readonly provider: FailingProvider;
  readonly key: string;
}

type Make<Port> = () => RemoteModelUnderTest<Port> | Promise<RemoteModelUnderTest<Port>>;

/** What an embedder does whose provider answers wrongly, beside `describeEmbedder`. */
export function describeRemoteEmbedder(name: string, make: Make<Embedder>): void {
  describeRemoteFailures(name, async () => {
    const { model, provider, key } = await make();
    return { provider, key, call: (signal) => model.embed(['one', 'two'], 'document', signal ? { signal } : {}) };
  });
  describe(`${name}, whose provider answers wrongly`, () => {
    it.each<Fault['kind']>(['wrong_dimension', 'nan', 'fewer', 'empty'])('refuses vectors: %s', async (kind) => {
      const { model, provider } = await make();
      provider.fail({ kind } as Fault);
      await expect(model.embed(['one', 'two'], 'document')).rejects.toMatchObject({ kind: 'malformed' });
    });

    it('asks no one about texts in which nothing is', async () => {
      const { model, provider } = await make();
      provider.fail({ kind: 'status', status: 500 });
      const { vectors, usage } = await model.embed(['', ' \n', '—'], 'document');
      expect(vectors).toHaveLength(3);
      expect(usage.requests).toBe(0);
      await expect(model.embed(['one'], 'document')).rejects.toMatchObject({ status: 500 });
    });

    it('tells the tokens that the provider has counted', async () => {
      const { model } = await make();
      expect((await model.embed(['one', 'two'], 'document')).usage).toMatchObject({ requests: 1, isEstimated: false });
    });

    it('counts tokens itself where the provider tells none', async () => {
      const { model, provider } = await make();
      provider.fail({ kind: 'no_usage' });
      const { usage } = await model.embed(['one', 'two'], 'document');
      expect(usage.isEstimated).toBe(true);
      expect(usage.inputTokens).toBeGreaterThan(0);
    });
  });
}

/** What a reranker does whose provider answers wrongly, beside `describeReranker`. */
export function describeRemoteReranker(name: string, make: Make<Reranker>): void {
  const documents = ['one', 'two'].map((text) => ({ id: text, text }));
  describeRemoteFailures(name, async () => {
    const { model, provider, key } = await make();
    return { provider, key, call: (signal) => model.rerank('one', documents, signal ? { signal } : {}) };
  });
  describe(`${name}, whose provider answers wrongly`, () => {
    it.each<Fault['kind']>(['nan', 'fewer', 'empty'])('refuses scores: %s', async (kind) => {
      const { model, provider } = await make();
      provider.fail({ kind } as Fault);
      await expect(model.rerank('one', documents)).rejects.toMatchObject({ kind: 'malformed' });
    });
  });
}

/** What a chat model does whose provider answers wrongly, beside `describeChatModel`. */
export function describeRemoteChatModel(name: string, make: Make<ChatModel>): void {
  describeRemoteFailures(name, async () => {
    const { model, provider, key } = await make();
    return { provider, key, call: (signal) => collect(model.stream(ANSWERABLE_REQUEST, signal ? { signal } : {})) };
  });
  describe(`${name}, whose provider answers wrongly`, () => {
    const streamed = async (fault: Fault): Promise<{ text: string; last: ChatDelta | undefined; error: unknown }> => {
      const { model, provider } = await make();
      provider.fail(fault);
      let [text, last]: [string, ChatDelta | undefined] = ['', undefined];
      try {
        for await (const delta of model.stream(ANSWERABLE_REQUEST)) {
          last = delta;
          if (delta.kind === 'text') text += delta.text;
        }
      } catch (error) {
        return { text, last, error };
      }
      return { text, last, error: undefined };
    };

    it.each<[string, Fault, string]>([
      ['that ends too early', { kind: 'cut', after: 3, how: 'ended' }, 'malformed'],
      ['whose connection breaks', { kind: 'cut', after: 3, how: 'broken' }, 'network'],
      ['that stops moving', { kind: 'stall', after: 3 }, 'timeout'],
    ])('gives what came of a stream %s, and then fails', async (_name, fault, kind) => {
      const { text, last, error } = await streamed(fault);
      expect(text).not.toBe('');
      expect(last).toMatchObject({ kind: 'text' });
      expect(error).toMatchObject({ name: 'ModelFailure', kind, isTransient: true });
    });

    it('fails with the words of an error inside a stream', async () => {
      const { error } = await streamed({ kind: 'stream_error', after: 2, message: 'The engine is overloaded.' });
      expect(error).toMatchObject({ isTransient: true, words: expect.stringContaining('overloaded') });
    });

    it('waits for a first token that comes late', async () => {
      const { text, error } = await streamed({ kind: 'slow', ms: 100 });
      expect(error).toBeUndefined();
      expect(text).toContain('[1]');
    });

    it('calls an empty answer a refusal', async () => {
      const { text, last } = await streamed({ kind: 'empty' });
      expect(text).toBe('');
      expect(last).toMatchObject({ kind: 'finish', finishReason: 'refusal' });
    });

    it('shows nothing of the word by which a model refuses', async () => {
      const { text, last } = await streamed({ kind: 'text', text: 'NOT_ANSWERED' });
      expect(text).toBe('');
      expect(last).toMatchObject({ kind: 'finish', finishReason: 'refusal' });
    });

    it('fails when the model asks for a tool', async () => {
      const { error } = await streamed({ kind: 'tool_call' });
      expect(error).toMatchObject({ kind: 'malformed', words: expect.stringContaining('tool') });
    });

    it('counts tokens itself where the provider tells none', async () => {
      const { last } = await streamed({ kind: 'no_usage' });
      expect(last).toMatchObject({ kind: 'finish', finishReason: 'stop', usage: { isEstimated: true } });
    });

    it('tells the tokens that the provider has counted', async () => {
      const { last } = await streamed({ kind: 'slow', ms: 0 });
      expect(last).toMatchObject({ usage: { isEstimated: false, requests: 1 } });
    });

    it('keeps characters whole that a stream has cut', async () => {
      const { text } = await streamed({ kind: 'markers', variant: 'inside_character' });
      expect(text).toContain('ä🚀 [1]');
    });
  });
}

async function collect(deltas: AsyncIterable<ChatDelta>): Promise<readonly ChatDelta[]> {
  const all: ChatDelta[] = [];
  for await (const delta of deltas) all.push(delta);
  return all;
}
