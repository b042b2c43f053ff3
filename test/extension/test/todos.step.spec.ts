import type { ParsedState, StepAttempt } from 'knowledge-base-service/extension';
import { expect, it } from 'vitest';
import { TodosStep } from '../src/todos.step.js';

/** What the step gives for a text that comes in pieces. */
async function todosOf(...pieces: string[]) {
  const state: ParsedState = {
    textLength: pieces.join('').length,
    async *segments() {
      let start = 0;
      for (const text of pieces) {
        yield { start, text, blocks: [] };
        start += text.length;
      }
    },
  };
  const attempt = { signal: new AbortController().signal } as StepAttempt;
  const rows = [];
  for await (const output of new TodosStep().run(attempt, state)) if (output.kind === 'rows') rows.push(...output.rows);
  return rows;
}

it('gives the lines that begin with TODO, wherever the text is cut', async () => {
  const text = 'One\nTODO: two\nnot TODO\nTODO three';
  const expected = [
    { text_start: 4, body: 'TODO: two' },
    { text_start: 23, body: 'TODO three' },
  ];
  for (let cut = 0; cut <= text.length; cut++) expect(await todosOf(text.slice(0, cut), text.slice(cut))).toEqual(expected);
});

it('keeps the beginning of a very long line', async () => {
  const [row] = await todosOf(`TODO ${'a'.repeat(400)}`, 'b'.repeat(400));
  expect(row?.['body']).toHaveLength(500);
});
