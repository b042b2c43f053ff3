import { describe, expect, it } from 'vitest';
import { Embedder, type EmbeddedTexts, type EmbeddingPurpose } from '../embedder.port.js';
import { Calibration, trustIn, trustOf, type EmbeddingScale, type PairScale } from './embedding-scale.js';
import { measureScale } from './measure-scale.js';
import { PROBES } from './probes/probes.js';

const LANGUAGES = Object.keys(PROBES);
const PLACES = new Map(
  Object.values(PROBES).flatMap((pairs) => pairs.flatMap((pair, place) => pair.map((text) => [text, place] as const))),
);

/** Knows which passage answers which question in the languages it is told; in the others all texts are alike to it. */
class KnowingEmbedder extends Embedder {
  readonly descriptor = {
    provider: 'test',
    model: 'knowing',
    dimensions: 13,
    space: 'test-knowing',
    kind: 'semantic',
    maxBatchSize: 5,
    maxInputTokens: 100,
  } as const;

  constructor(private readonly known: readonly string[]) {
    super();
  }

  override async embed(texts: readonly string[], _purpose: EmbeddingPurpose): Promise<EmbeddedTexts> {
    const vectors = texts.map((text) => {
      const vector = new Float32Array(13);
      const language = LANGUAGES.find((code) => PROBES[code]!.some((pair) => pair.includes(text)))!;
      vector[12] = this.known.includes(language) ? 0.8 : 1;
      if (this.known.includes(language)) vector[PLACES.get(text)!] = 0.6;
      return vector;
    });
    return { vectors, usage: { inputTokens: 0, outputTokens: 0 } as never };
  }
}

const scaleFor = async (known: readonly string[]): Promise<EmbeddingScale> => measureScale(new KnowingEmbedder(known));
const pair = (unrelated: number, discrimination: number): PairScale => ({
  unrelated,
  spread: 0.05,
  related: unrelated + 0.1,
  discrimination,
});

describe('the probe texts', () => {
  it('are the same number in every language, each question and passage once', () => {
    for (const pairs of Object.values(PROBES)) expect(pairs).toHaveLength(12);
    expect(PLACES.size).toBe(LANGUAGES.length * 24);
  });
});

describe('measuring a model', () => {
  it('tells the languages that it knows from those that it does not', async () => {
    const { pairs } = await scaleFor(['en', 'de']);
    expect(trustOf(pairs['en']!['en']!.discrimination)).toBe(1);
    expect(trustOf(pairs['en']!['de']!.discrimination)).toBe(1);
    expect(trustOf(pairs['ru']!['ru']!.discrimination)).toBe(0.1);
    expect(trustOf(pairs['en']!['ru']!.discrimination)).toBe(0.1);
  });

  it('says what unrelated and related texts have', async () => {
    const { unrelated, related } = (await scaleFor(['en'])).pairs['en']!['en']!;
    expect(unrelated).toBeCloseTo(0.64, 5);
    expect(related).toBeCloseTo(1, 5);
  });

  it('gives the same figures again', async () => {
    expect(await scaleFor(['en', 'th'])).toEqual(await scaleFor(['en', 'th']));
  });
});

describe('a calibrated cosine', () => {
  const scale: EmbeddingScale = {
    probes: 1,
    pairs: { en: { en: pair(0.7, 0.9), de: pair(0.6, 0.9), ru: pair(0.6, 0.4) }, de: { de: pair(0.3, 0.9) } },
  };
  const english = new Calibration(scale, 'en');

  it('is one half two spreads above unrelated texts, whatever the model', () => {
    expect(english.of(0.8, 'en')).toBeCloseTo(0.5);
    expect(new Calibration(scale, 'de').of(0.4, 'de')).toBeCloseTo(0.5);
  });

  it('keeps the order of cosines and stays within 0 and 1', () => {
    const values = [-1, 0, 0.5, 0.7, 0.75, 0.8, 0.9, 1].map((cosine) => english.of(cosine, null));
    expect(values).toEqual(values.toSorted((a, b) => a - b));
    expect(values.every((value) => value > 0 && value < 1)).toBe(true);
  });

  it('knows that texts of two languages are less alike, and keeps the question’s own language ahead', () => {
    expect(english.of(0.8, 'de')).toBeGreaterThan(english.of(0.8, 'en'));
    expect(english.of(0.7, 'de')).toBeLessThan(english.of(0.8, 'en'));
  });

  it('counts little between languages that the model does not bring together', () => {
    expect(english.of(0.8, 'ru')).toBeLessThan(0.1);
  });

  it('takes a passage of an unknown language for one of the question’s', () => {
    expect(english.of(0.8, 'xx')).toBe(english.of(0.8, 'en'));
  });
});

describe('trustIn', () => {
  it('is the least for languages that a model is known not to know, and as measured for all others', () => {
    expect(trustIn({ knows: ['en'] }, 'en', 0.8)).toBe(0.8);
    expect(trustIn({ knows: ['en'] }, 'th', 0.8)).toBe(0.1);
    expect(trustIn({ knows: ['en'] }, null, 0.8)).toBe(0.8);
    expect(trustIn({}, 'th', 0.8)).toBe(0.8);
  });
});
