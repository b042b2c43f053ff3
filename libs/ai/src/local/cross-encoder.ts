/**
 * What the thread of a model does to judge pairs of texts. Imports types only, and has no syntax that is more than types, since the thread loads
 * it from the sources as from the build.
 */
import type { Embed, TextTokenizer, WorkerModel } from './worker-model.js';

/** UTF-16 units of a text that are read for each token that the model takes. */
const CHARS_PER_TOKEN = 64;

/** Tokens of a pair, each with the number of its part. */
export interface EncodedPair {
  readonly ids: number[];
  readonly types: number[];
}

/** What the network answers to a pair. */
type Run = (pair: EncodedPair) => Promise<unknown>;

/**
 * A cross-encoder reads both texts at once. To score, it answers with one number, or with two, of which the second represents a match; of what
 * is too long the second text is cut, of the first half at most. To classify, it answers with a number for each label, and all of the first
 * text is read: of its windows, which overlap by half, the highest probability counts.
 */
export function judging(model: WorkerModel, tokenizer: TextTokenizer, run: Run): Embed {
  const { plain, join, room } = pairing(model, tokenizer);
  const read = async (first: number[], second: number[]): Promise<number> => {
    const data = await run(join(first, second));
    const value = model.answer === undefined ? logitOf(data) : probabilityOf(data, model.answer);
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
function pairing(model: WorkerModel, tokenizer: TextTokenizer) {
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
