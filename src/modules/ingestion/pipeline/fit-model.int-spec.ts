import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aiErrors, Embedder, type EmbeddedTexts, type EmbedderDescriptor, type EmbeddingPurpose } from '#libs/ai';
import type { DatasetId, DocumentId } from '#libs/common';
import { until } from '#testing/until';
import { DEFAULT_POLICY, type ChunkingPolicy } from '../../ingestion-policy/index.js';
import { IngestionLab } from '../testing/ingestion-lab.js';

const READS = 160;
const TEXT = Array.from({ length: 200 }, (_, n) => `Sentence ${n} of the manual says that pump ${n} is blue.`).join(
  ' ',
);

/** The built-in model with another tokenizer: one token for every two characters, and a maximum of 160 tokens. */
class ShortSighted extends Embedder {
  before: () => void = () => undefined;

  constructor(private readonly builtIn: Embedder) {
    super();
  }

  get descriptor(): EmbedderDescriptor {
    return { ...this.builtIn.descriptor, maxInputTokens: READS };
  }

  override async countTokens(texts: readonly string[]): Promise<readonly number[]> {
    return texts.map((text) => Math.ceil(text.length / 2));
  }

  async embed(texts: readonly string[], purpose: EmbeddingPurpose): Promise<EmbeddedTexts> {
    if (purpose === 'document') this.before();
    return this.builtIn.embed(texts, purpose);
  }
}

interface ChunkRow {
  readonly set: string;
  readonly body: string;
  readonly heading_path: readonly string[];
}

describe('documents whose chunks fit the model', () => {
  let lab: IngestionLab;
  let model: ShortSighted;
  let dataset: DatasetId;
  beforeAll(async () => {
    lab = await IngestionLab.open({ embedder: (builtIn) => (model = new ShortSighted(builtIn)) });
  });
  afterAll(() => lab.close());
  beforeEach(async () => {
    dataset = await lab.addDataset();
    model.before = () => undefined;
  });

  const use = (chunking: Partial<ChunkingPolicy>): Promise<void> =>
    lab.changePolicy(dataset, { ...DEFAULT_POLICY, chunking: { ...DEFAULT_POLICY.chunking, ...chunking } });
  const upload = async (count: number): Promise<DocumentId[]> => {
    const ids = await lab.upload(
      dataset,
      Array.from({ length: count }, (_, n) => ({ name: `${n}.txt`, content: TEXT })),
    );
    await lab.query(`UPDATE documents SET policy_version = 2 WHERE dataset_id = $1 RETURNING id`, [dataset]);
    await lab.work();
    return ids;
  };
  const chunksOf = (id: DocumentId): Promise<ChunkRow[]> =>
    lab.query<ChunkRow>(
      `SELECT c.chunk_set_id AS set, c.body, c.heading_path FROM chunks c JOIN documents d ON d.visible_chunk_set_id = c.chunk_set_id
       WHERE d.id = $1 ORDER BY c.ordinal`,
      [id],
    );
  const warningsOf = async (id: DocumentId): Promise<string[]> =>
    (await lab.timeline(id)).flatMap(({ event, details }) => (event === 'warning' ? [String(details['code'])] : []));
  const longest = (chunks: readonly ChunkRow[]): number =>
    Math.max(...chunks.map(({ body, heading_path: path }) => Math.ceil([path.join(' > '), body].join('').length / 2)));

  it('have chunks that the model reads in full, the same alone and in a group, and no warning', async () => {
    await use({ fit_model: true });
    const [alone] = await upload(1);
    const [first, second] = await upload(2);
    const bodies: string[][] = [];
    for (const id of [alone!, first!, second!]) {
      const chunks = await chunksOf(id);
      expect(longest(chunks)).toBeLessThanOrEqual(READS);
      expect(await warningsOf(id)).toEqual([]);
      bodies.push(chunks.map(({ body }) => body));
    }
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });

  it('are cut only by their policy without `fit_model`, and get a warning that the model cannot read all', async () => {
    await use({});
    const [id] = await upload(1);
    expect(longest(await chunksOf(id!))).toBeGreaterThan(READS);
    expect(await warningsOf(id!)).toEqual(['TRUNCATED']);
  });

  it('continue from their chunks after the model was unavailable, and keep them through a reingest', async () => {
    await use({ fit_model: true });
    let refusals = 1;
    model.before = () => {
      if (refusals-- > 0) throw aiErrors.provider_unavailable({ provider: 'test', model: 'm' }, { retryAfter: 1 });
    };
    const [id] = await upload(1);
    // The gate has the same pause: a try before its end makes the document wait again.
    const isShown = async (): Promise<boolean> => {
      await lab.system(`UPDATE tasks SET not_before = NULL`);
      await lab.work();
      return (await chunksOf(id!)).length > 0;
    };
    await until(isShown, { what: 'the document was embedded', everyMs: 500 });
    const resumed = async (): Promise<unknown[]> =>
      (await lab.timeline(id!)).filter(({ event }) => event === 'checkpoint_resumed').map(({ stage }) => stage);
    expect((await resumed()).slice(-2)).toEqual(['parsing', 'chunking']);
    const before = await chunksOf(id!);
    await lab.reingest([id!]);
    await lab.work();
    expect(await chunksOf(id!)).toEqual(before);
    expect(await warningsOf(id!)).toEqual([]);
  });
});
