import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Use of a model in a folder. */
export const LOCAL_MODEL_USES = ['embedding', 'reranking', 'grounding'] as const;
export type LocalModelUse = (typeof LOCAL_MODEL_USES)[number];

/** Result of trying a model. */
export type ModelProof =
  /** `reads`: tokens of a text that have a part in its vector. */
  | { readonly use: 'embedding'; readonly dimensions: number; readonly reads: number; readonly ms: number }
  /** Scores (0 to 1) of a sentence that answers the question and of one that does not. */
  | { readonly use: 'reranking'; readonly answering: number; readonly other: number; readonly ms: number }
  /** Probabilities that a sentence says, and that another one says, what a statement says. */
  | { readonly use: 'grounding'; readonly saying: number; readonly other: number; readonly ms: number };

const QUESTION = 'How often is the pump serviced?';
const ANSWERING = 'The pump is serviced every 500 hours.';
const STATEMENT = 'Every 500 hours the pump is serviced.';
const OTHER = 'Invoices are paid within thirty days.';
/** Fewer numbers than this tell no texts apart: what a cross-encoder answers. */
const LEAST_DIMENSIONS = 3;

/**
 * Loads the model of a folder once and tries it with a sentence. Without `use`, its configuration and its output decide what it is.
 * @throws `ai.local_model_unusable`, `ai.local_runtime_missing`, `ai.provider_unavailable`
 */
export async function proveLocalModel(path: string, use?: LocalModelUse): Promise<ModelProof> {
  if (use === 'grounding' || (use === undefined && (await knowsEntailment(path)))) return proveEntailment(path);
  if (use === 'reranking' || (use === undefined && (await isCrossEncoder(path)))) return proveReranker(path);
  const proof = await proveEmbedder(path);
  return use === undefined && proof.dimensions < LEAST_DIMENSIONS ? proveReranker(path) : proof;
}

async function proveEmbedder(path: string): Promise<Extract<ModelProof, { use: 'embedding' }>> {
  const { LocalEmbedder } = await import('./local-embedder.js');
  const embedder = await LocalEmbedder.load({ path });
  try {
    const began = performance.now();
    await embedder.embed([ANSWERING], 'document');
    const ms = performance.now() - began;
    const { dimensions, maxInputTokens: reads } = embedder.descriptor;
    return { use: 'embedding', dimensions, reads, ms };
  } finally {
    await embedder.close();
  }
}

async function proveReranker(path: string): Promise<ModelProof> {
  const { LocalReranker } = await import('./local-reranker.js');
  const reranker = await LocalReranker.load({ path });
  try {
    const began = performance.now();
    const texts = { answering: ANSWERING, other: OTHER };
    const { documents } = await reranker.rerank(
      QUESTION,
      Object.entries(texts).map(([id, text]) => ({ id, text })),
    );
    const ms = (performance.now() - began) / documents.length;
    const scoreOf = (wanted: keyof typeof texts): number => documents.find(({ id }) => id === wanted)?.score ?? 0;
    return { use: 'reranking', answering: scoreOf('answering'), other: scoreOf('other'), ms };
  } finally {
    await reranker.close();
  }
}

async function proveEntailment(path: string): Promise<ModelProof> {
  const { LocalEntailment } = await import('./local-entailment.js');
  const model = await LocalEntailment.load({ path });
  try {
    const began = performance.now();
    const [saying = 0, other = 0] = await model.entail(STATEMENT, [ANSWERING, OTHER]);
    return { use: 'grounding', saying, other, ms: (performance.now() - began) / 2 };
  } finally {
    await model.close();
  }
}

/** Whether one of the labels in the configuration is entailment. */
async function knowsEntailment(path: string): Promise<boolean> {
  const text = await readFile(join(path, 'config.json'), 'utf8').catch(() => '');
  return /:\s*"entail(?:ment|s|ed)?"/i.test(text);
}

/** Whether the configuration of `transformers` says that the network judges texts instead of giving their vectors. */
async function isCrossEncoder(path: string): Promise<boolean> {
  const text = await readFile(join(path, 'config.json'), 'utf8').catch(() => '');
  return /"\w+ForSequenceClassification"/.test(text);
}
