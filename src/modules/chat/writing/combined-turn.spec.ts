import { describe, expect, it } from 'vitest';
import { createModels } from '#libs/ai';
import { profileQuestion } from '#libs/answering';
import { TermStatistics } from '#libs/ranking';
import { BUILTIN_MODELS } from '#libs/testing';
import type { RetrievalOutcome } from '../../retrieval/index.js';
import { ChatFixture, contextOf, fragments, requestOf } from '../testing/chat-fakes.js';
import type { ChatCompletion } from '../turn/chat-completion.dto.js';

const QUESTION = 'How often is the pump serviced and when are invoices paid?';
const PUMP = 'The pump is serviced every 500 hours by a technician. [1]';
const INVOICES = 'Invoices are paid within thirty days. [2]';

/** What a search finds: for each question the fragments that hold these words. */
async function answer(found: Readonly<Record<string, readonly number[]>>, changes = {}): Promise<ChatCompletion> {
  const { chatModel } = await createModels(BUILTIN_MODELS);
  const chat = new ChatFixture(chatModel);
  chat.outcomeOf = ({ query }) => {
    const [, at] = Object.entries(found).find(([words]) => String(query).includes(words)) ?? ['', [0, 1]];
    const results = fragments().filter((_, index) => at.includes(index));
    const question = profileQuestion(String(query), new TermStatistics());
    return { ...chat.outcome, results, question } satisfies RetrievalOutcome;
  };
  const messages = [{ role: 'user' as const, content: QUESTION }];
  return chat.service.complete(contextOf('a1'), requestOf({ messages, ...changes }), new AbortController().signal);
}

describe('a message that asks two things', () => {
  it('is answered in both parts, each from its own results, with every passage once', async () => {
    const { choices, sources, citations, grounding, refusal } = await answer({
      'How often is the pump serviced and': [0, 1],
      'How often': [0],
      'when are invoices': [1],
    });
    expect(choices[0]!.message.content).toBe(`${PUMP} ${INVOICES}`);
    expect(sources.map(({ number }) => number)).toEqual([1, 2]);
    expect(citations.map(({ marker, verified }) => [marker, verified])).toEqual([
      ['[1]', true],
      ['[2]', true],
    ]);
    expect(grounding?.status).toBe('supported');
    expect(refusal).toBeNull();
  });

  it.each(['annotate', 'strict'] as const)('says what one part lacks, and is partial: %s', async (mode) => {
    const { choices, grounding, refusal } = await answer(
      { 'How often is the pump serviced and': [0, 1], 'How often': [0], 'when are invoices': [] },
      { grounding: mode },
    );
    expect(choices[0]!.message.content).toBe(`${PUMP} I found no answer to “when are invoices paid”.`);
    expect(grounding).toMatchObject({ status: 'partial', withheld: 0, unsupported_spans: [] });
    expect(refusal).toBeNull();
  });

  it('searches for the second question with the words of the first where it has no answer by itself', async () => {
    const { choices, grounding } = await answer({
      'How often is the pump serviced and': [0, 1],
      'How often': [0],
      pump: [1],
      'when are invoices': [],
    });
    expect(choices[0]!.message.content).toBe(`${PUMP} ${INVOICES}`);
    expect(grounding?.status).toBe('supported');
  });

  it('has the warnings of the searches of its parts, each once', async () => {
    const { chatModel } = await createModels(BUILTIN_MODELS);
    const chat = new ChatFixture(chatModel);
    const warning = { code: 'WORDS_NOT_COMPARED' as const, detail: 'Ask again later.' };
    chat.outcomeOf = ({ query }) => {
      const warnings = String(query) === QUESTION ? [] : [warning];
      const question = profileQuestion(String(query), new TermStatistics());
      return { ...chat.outcome, question, report: { ...chat.outcome.report, warnings } } satisfies RetrievalOutcome;
    };
    const messages = [{ role: 'user' as const, content: QUESTION }];
    const asked = chat.service.complete(contextOf('a1'), requestOf({ messages }), new AbortController().signal);
    expect((await asked).retrieval.warnings).toEqual([warning]);
  });

  it('is refused where no part has an answer', async () => {
    const { grounding, refusal } = await answer({ 'How often': [], 'when are invoices': [] });
    expect(grounding?.status).toBe('refused');
    expect(refusal?.code).toBe('NO_RESULTS');
  });
});
