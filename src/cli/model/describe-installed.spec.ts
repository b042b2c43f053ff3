import { describe, expect, it } from 'vitest';
import { describeInstalled } from './describe-installed.js';

const describeEmbedding = (reads: number): string =>
  describeInstalled({
    path: '/data/models/small',
    manifest: {
      name: 'small',
      source: 'org/small',
      use: 'embedding',
      installed_at: '2026-01-01T00:00:00.000Z',
      files: [],
    },
    proof: { use: 'embedding', dimensions: 384, reads, ms: 12 },
  });

describe('what is said of an installed embedding model', () => {
  it('names what it reads of a text and the settings to paste', () => {
    const text = describeEmbedding(512);
    expect(text).toContain('384 numbers a text, 12 ms for a sentence. It reads the first 512 tokens of a text.');
    expect(text).toContain('EMBEDDING_MODEL_PATH=/data/models/small');
    expect(text).not.toContain('fit_model');
  });

  it('says what a model that reads less than a usual chunk means for datasets', () => {
    const text = describeEmbedding(256);
    expect(text).toContain('A chunk may have 512');
    expect(text).toContain('what is behind the first 256 is found by its words only');
    expect(text).toContain('chunking.fit_model true');
  });
});
