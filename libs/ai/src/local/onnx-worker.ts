/**
 * Runs in a thread of its own: the runtime computes synchronously, and a text takes up to a quarter of a second. Imports packages
 * only, and what `WorkerPrograms` names, so that the thread starts from the sources as from the build.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import type * as CrossEncoder from './cross-encoder.js';
import type * as Safetensors from './safetensors.js';
import type * as StaticEmbedding from './static-embedding.js';
import type * as UnigramVocabulary from './unigram-vocabulary.js';
import type { Embed, TextTokenizer, TokenizerPackage, WorkerModel } from './worker-model.js';

/** Where the thread finds what it shares with others: files beside it have other endings in the sources. */
export interface WorkerPrograms {
  /** URL of `unigram-vocabulary`. */
  readonly unigram: string;
  /** URL of `cross-encoder`. */
  readonly crossEncoder: string;
  /** URLs of `static-embedding` and of `safetensors`. */
  readonly staticEmbedding: string;
  readonly safetensors: string;
}

export interface WorkerRequest {
  readonly id: number;
  readonly text: string;
  /** What a cross-encoder reads behind the text. */
  readonly pair?: string;
  /** Not computed: the answer is the number of tokens of the text. */
  readonly counts?: boolean;
}

/** `ready` once; then one `vector` or `failed` a request. `unusable` ends the thread. */
export type WorkerAnswer =
  | { readonly kind: 'ready'; readonly dimensions: number }
  | { readonly kind: 'unusable'; readonly code: string; readonly message: string }
  | { readonly kind: 'vector'; readonly id: number; readonly vector: Float32Array }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

/** UTF-16 units of a text that are read for each token that the model takes: far more than any prose has; `cross-encoder` has the same. */
const CHARS_PER_TOKEN = 64;
const KNOWN_INPUTS = new Set(['input_ids', 'attention_mask', 'token_type_ids', 'position_ids']);
const TOKEN_OUTPUTS = ['last_hidden_state', 'token_embeddings'];

type Encode = (text: string) => number[];

interface Started {
  readonly embed: Embed;
  readonly count: (text: string) => number;
}

const model = workerData as WorkerModel & WorkerPrograms;

async function start(): Promise<Started> {
  const { Tokenizer } = (await import('@huggingface/tokenizers')) as TokenizerPackage;
  const onnx = model.isStatic ? undefined : await import('onnxruntime-node');
  const tokenizer = new Tokenizer(model.tokenizer, model.tokenizerConfig);
  const { openPacked } = (await import(model.unigram)) as typeof UnigramVocabulary;
  tokenizer.model = openPacked(model.tokenizer) ?? tokenizer.model;
  if (onnx === undefined) return openTable(tokenizer);
  const count = (text: string): number => {
    const read = text.trim();
    return read === '' ? 0 : tokenizer.encode(read, { add_special_tokens: true }).ids.length;
  };
  return { embed: await openNetwork(tokenizer, onnx), count };
}

async function openTable(tokenizer: TextTokenizer): Promise<Started> {
  const { readTensors } = (await import(model.safetensors)) as typeof Safetensors;
  const { openStatic, STATIC_TENSORS } = (await import(model.staticEmbedding)) as typeof StaticEmbedding;
  const { sum, count } = openStatic(model, tokenizer, readTensors(model.network, STATIC_TENSORS));
  return { embed: (text) => Promise.resolve(unitVector(sum(text))), count };
}

async function openNetwork(tokenizer: TextTokenizer, onnx: typeof import('onnxruntime-node')): Promise<Embed> {
  const session = await onnx.InferenceSession.create(model.network, {
    intraOpNumThreads: model.threads,
    interOpNumThreads: 1,
  });
  const unknown = session.inputNames.filter((name) => !KNOWN_INPUTS.has(name));
  if (unknown.length > 0) throw new Error(`the network asks for ${unknown.join(', ')}, which is unknown here`);
  if (model.task !== undefined && model.task !== 'embed') {
    const { judging } = (await import(model.crossEncoder)) as typeof CrossEncoder;
    const logits = session.outputNames.includes('logits') ? 'logits' : session.outputNames[0]!;
    return judging(model, tokenizer, async ({ ids, types }) => {
      const { [logits]: tensor } = await session.run(feedsOf(session, ids, onnx.Tensor, types), [logits]);
      return tensor?.data;
    });
  }
  const output = TOKEN_OUTPUTS.find((name) => session.outputNames.includes(name)) ?? session.outputNames[0]!;
  const encode = truncating((text, special) => tokenizer.encode(text, { add_special_tokens: special }).ids);
  return async (text) => {
    const ids = encode(text);
    if (ids.length === 0) ids.push(0);
    const { [output]: tensor } = await session.run(feedsOf(session, ids, onnx.Tensor), [output]);
    return unitVector(poolTokens(tensor!));
  };
}

/** Cuts texts to the model's tokens, keeping those that the tokenizer adds before and behind. */
function truncating(encode: (text: string, special: boolean) => number[]): Encode {
  const plain = encode('a', false);
  const full = encode('a', true);
  const before = Math.max(0, full.indexOf(plain[0]!));
  const head = full.slice(0, before);
  const tail = full.slice(before + plain.length);
  const room = Math.max(1, model.maxTokens - head.length - tail.length);
  return (text) => {
    const read = text.trim().slice(0, model.maxTokens * CHARS_PER_TOKEN);
    return [...head, ...(read === '' ? [] : encode(read, false).slice(0, room)), ...tail];
  };
}

/** One text a run: no padding, so that nothing that is beside a text can touch its vector. */
function feedsOf(
  session: InferenceSession,
  ids: readonly number[],
  TensorClass: typeof Tensor,
  types: readonly number[] = [],
): Record<string, Tensor> {
  const values: Record<string, (id: number, place: number) => number> = {
    input_ids: (id) => id,
    attention_mask: () => 1,
    token_type_ids: (_, place) => types[place] ?? 0,
    position_ids: (_, place) => place,
  };
  const shape = [1, ids.length];
  return Object.fromEntries(
    session.inputNames.map((name) => {
      const numbers = BigInt64Array.from(ids, (id, place) => BigInt(values[name]!(id, place)));
      return [name, new TensorClass('int64', numbers, shape)];
    }),
  );
}

/** [1, tokens, dimensions] to one vector; what comes as [1, dimensions] is one already. */
function poolTokens(tensor: Tensor): Float64Array {
  const { data, dims } = tensor;
  if (!(data instanceof Float32Array)) throw new Error('the network answers with something else than float32');
  const width = dims.at(-1)!;
  if (dims.length === 2) return Float64Array.from(data);
  const tokens = data.length / width;
  const tokenAt = (place: number): Float32Array => data.subarray(place * width, (place + 1) * width);
  if (model.pooling === 'cls') return Float64Array.from(tokenAt(0));
  if (model.pooling === 'last') return Float64Array.from(tokenAt(tokens - 1));
  const pooled = Float64Array.from(tokenAt(0));
  const join = model.pooling === 'max' ? Math.max : (a: number, b: number): number => a + b;
  for (let place = 1; place < tokens; place += 1) {
    const token = tokenAt(place);
    for (let at = 0; at < width; at += 1) pooled[at] = join(pooled[at]!, token[at]!);
  }
  return pooled;
}

function unitVector(values: Float64Array): Float32Array {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(length)) throw new Error('the network answers with numbers that are not finite');
  return Float32Array.from(values, (value, at) => (length === 0 ? Number(at === 0) : value / length));
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const port = parentPort!;
const say = (answer: WorkerAnswer): void => port.postMessage(answer);
try {
  const { embed, count } = await start();
  const probe = await embed('a', 'a');
  let previous = Promise.resolve();
  port.on('message', ({ id, text, pair = '', counts = false }: WorkerRequest) => {
    previous = previous.then(async () => {
      try {
        say({ kind: 'vector', id, vector: counts ? Float32Array.of(count(text)) : await embed(text, pair) });
      } catch (error) {
        say({ kind: 'failed', id, message: messageOf(error) });
      }
    });
  });
  say({ kind: 'ready', dimensions: probe.length });
} catch (error) {
  say({ kind: 'unusable', code: String((error as { code?: unknown }).code), message: messageOf(error) });
}
