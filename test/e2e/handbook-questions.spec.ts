import { beforeAll, describe, expect, it } from 'vitest';
import { ingest } from '../support/fixtures.js';
import { HANDBOOK_FILES, HANDBOOK_QUESTIONS } from '../support/handbook-questions.js';
import { useTenant } from '../support/shared-service.js';

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly refusal: { readonly missing_words: readonly string[] } | null;
}

/** What the built-in models do not answer yet: they refuse it, and say nothing wrong. */
const STILL_REFUSED: readonly string[] = [
  "My laptop's broken, who do I turn to?",
  "Do I need a doctor's note?",
  'Up to which amount can I buy something without asking anybody?',
];

const service = useTenant('shipped');
let dataset: string;

beforeAll(async () => {
  dataset = await service.admin.createDataset('Office');
  for (const [name, content] of Object.entries(HANDBOOK_FILES)) await ingest(service.admin, dataset, { name, content });
});

const ask = (content: string): Promise<Completion> =>
  service.admin.post<Completion>('/chat/completions', {
    messages: [{ role: 'user', content }],
    dataset_ids: [dataset],
  });

describe('questions about the files of an office, built-in models', () => {
  it.each(HANDBOOK_QUESTIONS)('%s', async (question, holds) => {
    const { choices, refusal } = await ask(question);
    if (holds === null || STILL_REFUSED.includes(question)) expect(refusal).not.toBeNull();
    else expect(choices[0]!.message.content).toContain(holds);
  });

  it('names no letter behind an apostrophe among what is missing', async () => {
    const { refusal } = await ask("Where's the director's yacht moored?");
    expect(refusal?.missing_words).not.toContain('s');
  });
});
