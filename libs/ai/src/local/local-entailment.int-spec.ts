import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAdapter } from '#libs/config';
import type { EntailmentModel } from '../entailment-model.port.js';
import { GROUNDINGS } from '../grounding-methods.js';
import { describeEntailmentModel } from '../testing/describe-entailment-model.js';
import type { LocalEntailment } from './local-entailment.js';
import { writeTinyCrossEncoder } from './testing/tiny-cross-encoder.js';

const WORDS = ['pump', 'serviced', '500', 'hours', 'paid'];
const LABELS = ['contradiction', 'entailment', 'neutral'];

describe('LocalEntailment with a tiny cross-encoder', () => {
  const opened: LocalEntailment[] = [];
  let folder: string;
  let shared: EntailmentModel;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'entailment-'));
    shared = await openWith(LABELS);
  });
  afterAll(async () => {
    for (const model of opened) await model.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function openWith(labels: readonly string[]): Promise<EntailmentModel> {
    await writeTinyCrossEncoder(folder, WORDS, { labels });
    const model = await openAdapter(GROUNDINGS, 'nli', { GROUNDING_MODEL_PATH: folder }, {});
    opened.push(model as LocalEntailment);
    return model!;
  }

  describeEntailmentModel('LocalEntailment', () => shared);

  const probabilityOf = async (model: EntailmentModel, statement: string, text: string): Promise<number> =>
    (await model.entail(statement, [text]))[0]!;
  /** The tiny network gives `logit` between two zeros. */
  const softmax = (logit: number): number => Math.exp(logit) / (Math.exp(logit) + 2);

  it('reads the text and the statement behind it as one pair, and gives the share of the label entailment', async () => {
    expect(await probabilityOf(shared, 'pump hours', 'The pump runs for hours.')).toBeCloseTo(softmax(1), 5);
    expect(await probabilityOf(shared, 'pump', 'Nothing.')).toBeCloseTo(softmax(-3), 5);
  });

  it('takes the label from where config.json says that it is', async () => {
    const moved = await openWith(['ENTAILMENT', 'neutral', 'contradiction']);
    expect(await probabilityOf(moved, 'pump hours', 'The pump runs for hours.')).toBeCloseTo(1 / (Math.E + 2), 5);
  });

  it('refuses a model that judges something else, or has another number of labels', async () => {
    await expect(openWith(['negative', 'positive', 'neutral'])).rejects.toMatchObject({
      code: 'ai.local_model_unusable',
      facts: { problems: [expect.stringContaining('"entailment" in id2label (negative, positive, neutral)')] },
    });
    await expect(openWith(['entailment', 'not_entailment'])).rejects.toMatchObject({
      code: 'ai.local_model_unusable',
      facts: { problems: [expect.stringContaining('one number for each of the 2 labels')] },
    });
  });

  it('is no model at all for the other measures', async () => {
    expect(await openAdapter(GROUNDINGS, 'lexical', {}, {})).toBeNull();
    expect(await openAdapter(GROUNDINGS, 'reranker', {}, {})).toBeNull();
  });

  it('names the model after its folder', () => {
    expect(folder.endsWith(shared.descriptor.model)).toBe(true);
    expect(shared.descriptor.provider).toBe('local');
  });
});
