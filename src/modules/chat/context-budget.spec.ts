import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '#libs/ai';
import { countTokens } from '#libs/text';
import { fitContext } from './context-budget.js';

const MODEL = { contextTokens: 1_000, maxOutputTokens: 200 };
const text = (tokens: number): string => '水'.repeat(tokens);
const message = (role: ChatMessage['role'], tokens: number): ChatMessage => ({ role, content: text(tokens) });
const source = (tokens: number) => ({ title: '', text: text(tokens) });

describe('fitContext', () => {
  it('keeps everything that fits', () => {
    const messages = [message('system', 10), message('user', 10), message('assistant', 10), message('user', 10)];
    const sources = [source(100), source(100)];
    expect(fitContext(MODEL, messages, sources)).toEqual({ messages, sources });
  });

  it('leaves out the oldest turns, but neither system messages nor the question', () => {
    const messages = [
      message('system', 20),
      message('user', 300),
      message('assistant', 200),
      message('user', 100),
      message('user', 30),
    ];
    const fitted = fitContext(MODEL, messages, []);
    expect(fitted.messages).toEqual([messages[0], messages[2], messages[3], messages[4]]);
  });

  it('leaves out the last sources, and what comes after the first that does not fit', () => {
    const sources = [source(400), source(300), source(300), source(1)];
    expect(fitContext(MODEL, [message('user', 10)], sources).sources).toEqual(sources.slice(0, 2));
  });

  it('never gives the model more than its context together with the answer', () => {
    for (const history of [0, 100, 500, 2_000]) {
      const messages = [message('user', history), message('assistant', 1), message('user', 50)];
      const fitted = fitContext(
        MODEL,
        messages,
        Array.from({ length: 50 }, () => source(37)),
        150,
      );
      const used = [...fitted.messages.map(({ content }) => content), ...fitted.sources.map((given) => given.text)];
      expect(used.reduce((sum, given) => sum + countTokens(given), 150)).toBeLessThanOrEqual(MODEL.contextTokens);
      expect(fitted.sources.length).toBeGreaterThan(0);
    }
  });

  it('refuses a question that leaves no room for sources', () => {
    expect(() => fitContext(MODEL, [message('user', 700)], [])).toThrow(
      expect.objectContaining({ code: 'chat.question_too_long', status: 422 }),
    );
  });
});
