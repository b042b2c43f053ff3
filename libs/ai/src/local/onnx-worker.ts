/**
 * Runs in a thread of its own: the runtime computes synchronously, and a text takes up to a quarter of a second. Imports packages
 * only, so that the thread starts from the sources as from the build.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { InferenceSession, Tensor } from 'onnxruntime-node';

/** What the thread is started with. */
export interface WorkerModel {
  readonly network: string;
  readonly tokenizer: object;
  readonly tokenizerConfig: object;
  readonly pooling: 'mean' | 'cls' | 'max' | 'last';
  readonly maxTokens: number;
  readonly threads: number;
  /** One number for a pair, by a cross-encoder: `score`, its logit; `classify`, the probability of the wanted label. Absent: `embed`. */
  readonly task?: 'embed' | 'score' | 'classify';
  /** For `classify`: how many labels there are, and the place of the wanted one. */
  readonly answer?: { readonly labels: number; readonly wanted: number };
}

export interface WorkerRequest {
  readonly id: number;
  readonly text: string;
  /** What a cross-encoder reads behind the text. */
  readonly pair?: string;
}

/** `ready` once; then one `vector` or `failed` a request. `unusable` ends the thread. */
export type WorkerAnswer =
  | { readonly kind: 'ready'; readonly dimensions: number }
  | { readonly kind: 'unusable'; readonly code: string; readonly message: string }
  | { readonly kind: 'vector'; readonly id: number; readonly vector: Float32Array }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

/** UTF-16 units of a text that are read for each token that the model takes: far more than any prose has. */
const CHARS_PER_TOKEN = 64;
const KNOWN_INPUTS = new Set(['input_ids', 'attention_mask', 'token_type_ids', 'position_ids']);
const TOKEN_OUTPUTS = ['last_hidden_state', 'token_embeddings'];

/** What is used of the package, whose own declarations name files without extensions, which does not resolve here. */
interface TokenizerPackage {
  readonly Tokenizer: new (
    tokenizer: object,
    config: object,
  ) => {
    encode(
      text: string,
      options: {
        readonly add_special_tokens: boolean;
        readonly text_pair?: string;
        readonly return_token_type_ids?: boolean;
      },
    ): { readonly ids: number[]; readonly token_type_ids?: number[] };
  };
}

type Encode = (text: string) => number[];
type Embed = (text: string, pair: string) => Promise<Float32Array>;
type TextTokenizer = InstanceType<TokenizerPackage['Tokenizer']>;

/** Tokens of a pair, each with the number of its part. */
interface EncodedPair {
  readonly ids: number[];
  readonly types: number[];
}

const model = workerData as WorkerModel;

async function start(): Promise<Embed> {
  const { Tokenizer } = (await import('@huggingface/tokenizers')) as TokenizerPackage;
  const onnx = await import('onnxruntime-node');
  const tokenizer = new Tokenizer(model.tokenizer, model.tokenizerConfig);
  const session = await onnx.InferenceSession.create(model.network, {
    intraOpNumThreads: model.threads,
    interOpNumThreads: 1,
  });
  const unknown = session.inputNames.filter((name) => !KNOWN_INPUTS.has(name));
  if (unknown.length > 0) throw new Error(`the network asks for ${unknown.join(', ')}, which is unknown here`);
  if (model.task !== undefined && model.task !== 'embed') return judging(tokenizer, session, onnx.Tensor);
  const output = TOKEN_OUTPUTS.find((name) => session.outputNames.includes(name)) ?? session.outputNames[0]!;
  const encode = truncating((text, special) => tokenizer.encode(text, { add_special_tokens: special }).ids);
  return async (text) => {
    const ids = encode(text);
    if (ids.length === 0) ids.push(0);
    const { [output]: tensor } = await session.run(feedsOf(session, ids, onnx.Tensor), [output]);
    return unitVector(poolTokens(tensor!));
  };
}

/**
 * A cross-encoder reads both texts at once. To score, it answers with one number, or with two, of which the second stands for a match; of what
 * is too long the second text is cut, of the first half at most. To classify, it answers with a number for each label, and all of the first
 * text is read: of its windows, which overlap by half, the highest probability counts.
 */
function judging(tokenizer: TextTokenizer, session: InferenceSession, TensorClass: typeof Tensor): Embed {
  const { plain, join, room } = pairing(tokenizer);
  const output = session.outputNames.includes('logits') ? 'logits' : session.outputNames[0]!;
  const read = async (first: number[], second: number[]): Promise<number> => {
    const { ids, types } = join(first, second);
    const { [output]: tensor } = await session.run(feedsOf(session, ids, TensorClass, types), [output]);
    const value = model.answer === undefined ? logitOf(tensor?.data) : probabilityOf(tensor?.data, model.answer);
    if (!Number.isFinite(value)) throw new Error('the network answers with numbers that are not finite');
    return value;
  };
  return async (text, pair) => {
    if (model.task === 'score') {
      const first = plain(text).slice(0, room >> 1);
      return Float32Array.of(await read(first, plain(pair).slice(0, room - first.length)));
    }
    const second = plain(pair).slice(0, room >> 1);
    let best = 0;
    for (const window of windowsOf(plain(text, text.length), room - second.length)) {
      best = Math.max(best, await read(window, second));
    }
    return Float32Array.of(best);
  };
}

function logitOf(data: unknown): number {
  if (!(data instanceof Float32Array) || data.length === 0 || data.length > 2) {
    throw new Error('the network gives no score of a pair: its answer is not one number, nor two');
  }
  return data.length === 1 ? data[0]! : data[1]! - data[0]!;
}

/** Softmax of the logits at the wanted place. */
function probabilityOf(data: unknown, { labels, wanted }: NonNullable<WorkerModel['answer']>): number {
  if (!(data instanceof Float32Array) || data.length !== labels) {
    throw new Error(`the network does not answer with one number for each of the ${labels} labels of config.json`);
  }
  return 1 / Array.from(data, (logit) => Math.exp(logit - data[wanted]!)).reduce((sum, part) => sum + part, 0);
}

/** A text with no tokens has one window. */
function windowsOf(ids: readonly number[], length: number): number[][] {
  const step = Math.max(1, length >> 1);
  const count = 1 + Math.max(0, Math.ceil((ids.length - length) / step));
  return Array.from({ length: count }, (_, index) => ids.slice(index * step, index * step + length));
}

/** How the tokenizer puts two texts together: their own tokens, how they are joined, and how many tokens both may have together. */
function pairing(tokenizer: TextTokenizer) {
  const plain = (text: string, most = model.maxTokens * CHARS_PER_TOKEN): number[] => {
    const read = text.trim().slice(0, most);
    return read === '' ? [] : tokenizer.encode(read, { add_special_tokens: false }).ids;
  };
  const one = plain('a');
  const sample = tokenizer.encode('a', { text_pair: 'a', add_special_tokens: true, return_token_type_ids: true });
  const first = Math.max(0, sample.ids.indexOf(one[0]!));
  const second = sample.ids.indexOf(one[0]!, first + one.length);
  if (second === -1) throw new Error('its tokenizer knows no pairs of texts');
  const parts = [
    sample.ids.slice(0, first),
    sample.ids.slice(first + one.length, second),
    sample.ids.slice(second + one.length),
  ];
  const [head = [], middle = [], tail = []] = parts;
  const typeOfSecond = sample.token_type_ids?.[second] ?? 0;
  const room = Math.max(2, model.maxTokens - head.length - middle.length - tail.length);
  const join = (before: readonly number[], behind: readonly number[]): EncodedPair => {
    const lead = [...head, ...before, ...middle];
    const rest = [...behind, ...tail];
    return { ids: [...lead, ...rest], types: [...lead.map(() => 0), ...rest.map(() => typeOfSecond)] };
  };
  return { plain, join, room };
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

/** One text a run: no padding, so that nothing that stands beside a text can touch its vector. */
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
  const embed = await start();
  const probe = await embed('a', 'a');
  let previous = Promise.resolve();
  port.on('message', ({ id, text, pair = '' }: WorkerRequest) => {
    previous = previous.then(async () => {
      try {
        say({ kind: 'vector', id, vector: await embed(text, pair) });
      } catch (error) {
        say({ kind: 'failed', id, message: messageOf(error) });
      }
    });
  });
  say({ kind: 'ready', dimensions: probe.length });
} catch (error) {
  say({ kind: 'unusable', code: String((error as { code?: unknown }).code), message: messageOf(error) });
}
