import type { Embedder } from '../embedder.port.js';
import type { ModelCallOptions } from '../model-call.js';
import type { EmbeddingScale, PairScale } from './embedding-scale.js';
import { centreOf, type EmbeddedPairs } from './meaning-centre.js';
import type { ProbePair } from './probes/probe-pair.js';
import { PROBES, PROBES_VERSION } from './probes/probes.js';

/** Texts of one call. */
const BATCH = 12;
/** A model for which all texts are alike has no spread; nothing may be divided by 0. */
const LEAST_SPREAD = 1e-6;

type Probes = Readonly<Record<string, readonly ProbePair[]>>;

/** Measures a model on the probe texts: some 400 short texts. @throws what the model throws */
export async function measureScale(
  embedder: Embedder,
  options?: ModelCallOptions,
  probes: Probes = PROBES,
): Promise<EmbeddingScale> {
  const languages = Object.keys(probes);
  const embedded: [string, EmbeddedPairs][] = [];
  for (const language of languages) embedded.push([language, await embedPairs(embedder, probes[language]!, options)]);
  const scalesOf = ([, { questions }]: [string, EmbeddedPairs]): Record<string, PairScale> =>
    Object.fromEntries(embedded.map(([language, { passages }]) => [language, scaleOf({ questions, passages })]));
  const pairs = Object.fromEntries(embedded.map((one) => [one[0], scalesOf(one)]));
  return { probes: PROBES_VERSION, pairs, centre: centreOf(new Map(embedded), embedder.descriptor) };
}

/** The vectors of pairs, as questions and as passages are embedded. @throws what the model throws */
export async function embedPairs(
  embedder: Embedder,
  pairs: readonly ProbePair[],
  options?: ModelCallOptions,
): Promise<EmbeddedPairs> {
  const size = Math.min(BATCH, embedder.descriptor.maxBatchSize);
  const embed = async (at: 0 | 1): Promise<Float32Array[]> => {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < pairs.length; from += size) {
      const texts = pairs.slice(from, from + size).map((pair) => pair[at]);
      vectors.push(...(await embedder.embed(texts, at === 0 ? 'query' : 'document', options)).vectors);
    }
    return vectors;
  };
  return { questions: await embed(0), passages: await embed(1) };
}

/** What their cosines say, in double precision and in a fixed order. Each question against all passages; there must be two pairs or more. */
export function scaleOf({ questions, passages }: EmbeddedPairs): PairScale {
  const related: number[] = [];
  const unrelated: number[] = [];
  let reciprocal = 0;
  for (const [at, question] of questions.entries()) {
    const row = passages.map((passage) => dot(question, passage));
    const own = row[at]!;
    const others = row.filter((_, other) => other !== at);
    related.push(own);
    unrelated.push(...others);
    reciprocal += 1 / (1 + others.filter((value) => value >= own).length);
  }
  const area = mean(related.map((own) => mean(unrelated.map((other) => (own > other ? 1 : own === other ? 0.5 : 0)))));
  const level = mean(unrelated);
  return {
    unrelated: level,
    spread: Math.max(LEAST_SPREAD, Math.sqrt(mean(unrelated.map((value) => (value - level) ** 2)))),
    related: mean(related),
    discrimination: (area + reciprocal / questions.length) / 2,
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += a[index]! * b[index]!;
  return sum;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
