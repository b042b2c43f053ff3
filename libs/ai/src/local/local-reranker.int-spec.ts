import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAdapter } from '#libs/config';
import { RERANKERS } from '../model-adapters.js';
import type { Reranker } from '../reranker.port.js';
import { describeReranker } from '../testing/describe-reranker.js';
import type { LocalReranker } from './local-reranker.js';
import { writeTinyCrossEncoder } from './testing/tiny-cross-encoder.js';

const WORDS = ['pump', 'serviced', 'hours', 'invoices', 'paid', ...'水泵保养一次'];

describe('LocalReranker with a tiny cross-encoder', () => {
  let folder: string;
  let shared: Reranker;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cross-encoder-'));
    await writeTinyCrossEncoder(folder, WORDS);
    shared = await openAdapter(RERANKERS, 'local', { RERANK_MODEL_PATH: folder, RERANK_MODEL: 'tiny' }, {});
  });
  afterAll(async () => {
    await (shared as LocalReranker).close();
    await rm(folder, { recursive: true, force: true });
  });

  describeReranker('LocalReranker', () => shared);

  const scoreOf = async (query: string, text: string): Promise<number> =>
    (await shared.rerank(query, [{ id: 'a', text }])).documents[0]!.score;
  const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));

  it('reads question and document as one pair, and brings the logit to 0 to 1', async () => {
    expect(await scoreOf('pump hours', 'The pump runs for hours.')).toBeCloseTo(sigmoid(1), 5);
    expect(await scoreOf('pump pump', 'Nothing.')).toBeCloseTo(sigmoid(-3), 5);
  });

  it('cuts a long document, and a long question to half of what the model reads', async () => {
    expect(await scoreOf('pump', `${'x '.repeat(40)} pump`)).toBeCloseTo(sigmoid(-3), 5);
    expect(await scoreOf('x '.repeat(200), 'pump')).toBeCloseTo(sigmoid(-3), 5);
    expect(await scoreOf(`pump ${'x '.repeat(200)}`, 'pump')).toBeCloseTo(sigmoid(-1), 5);
  });

  it('names the model', () => {
    expect(shared.descriptor).toMatchObject({ provider: 'local', model: 'tiny', kind: 'semantic' });
  });
});
