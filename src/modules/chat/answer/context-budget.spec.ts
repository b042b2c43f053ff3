import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '#libs/ai';
import { countTokens } from '#libs/text';
import { fitContext } from './context-budget.js';

const MODEL = { contextTokens: 1_000, maxOutputTokens: 200 };
const text = (tokens: number): string => '水'.repeat(tokens);
const message = (role: ChatMessage['role'], tokens: number): ChatMessage => ({ role, content: text(tokens) });

describe('fitContext', () => {
  it('keeps everything that fits', () => {
    const messages = [message('system', 10), message('user', 10), message('assistant', 10), message('user', 10)];
    expect(fitContext(MODEL, messages).messages).toEqual(messages);
  });

  it('leaves out the oldest turns, but neither system messages nor the question', () => {
    const messages = [
      message('system', 20),
      message('user', 300),
      message('assistant', 200),
      message('user', 100),
      message('user', 30),
    ];
    const fitted = fitContext(MODEL, messages);
    expect(fitted.messages).toEqual([messages[0], messages[2], messages[3], messages[4]]);
  });

  it('never gives the model more than its context together with the answer', () => {
    for (const history of [0, 100, 500, 2_000]) {
      const messages = [message('user', history), message('assistant', 1), message('user', 50)];
      const fitted = fitContext(MODEL, messages, 150);
      const used = fitted.messages.reduce((sum, { content }) => sum + countTokens(content), 150);
      expect(used + fitted.room).toBeLessThanOrEqual(MODEL.contextTokens);
      expect(fitted.room).toBeGreaterThan(0);
    }
  });

  it('refuses a question that leaves no room for sources', () => {
    expect(() => fitContext(MODEL, [message('user', 700)])).toThrow(
      expect.objectContaining({ code: 'chat.question_too_long', status: 422 }),
    );
  });
});
