/**
 * What the thread of a model does where that is no network but a table: the vector of a text is the mean of its tokens' rows (model2vec). Has no syntax
 * that is more than types, and is given what it uses of ours, since the thread loads it from the sources as from the build.
 */
import type { Tensor } from './safetensors.js';
import type { TextTokenizer, WorkerModel } from './worker-model.js';

/** UTF-16 units of a text that are read for each token that the model takes. */
const CHARS_PER_TOKEN = 64;
/** Names of the rows: in files of model2vec, and of sentence-transformers. */
const ROWS = ['embeddings', 'embedding.weight'] as const;
/** Beside them, by token: how much its row counts, and which row it has where several share one. */
const [WEIGHTS, MAPPING] = ['weights', 'mapping'] as const;

export const STATIC_TENSORS: readonly string[] = [...ROWS, WEIGHTS, MAPPING];

/** What a static model computes. */
export interface StaticModel {
  /** The sum of the rows of a text's tokens; zeros where it has none. */
  readonly sum: (text: string) => Float64Array;
  /** Tokens of a text, uncut. */
  readonly count: (text: string) => number;
}

/** @throws Error that says why it cannot be computed */
export function openStatic(
  model: WorkerModel,
  tokenizer: TextTokenizer,
  tensors: ReadonlyMap<string, Tensor>,
): StaticModel {
  if (model.task !== undefined && model.task !== 'embed') throw new Error('a static model judges no pairs of texts');
  const rows = tensors.get(ROWS[0]) ?? tensors.get(ROWS[1]);
  if (rows?.shape.length !== 2) throw new Error(`model.safetensors holds no table ${ROWS.join(' or ')}`);
  const [count, width] = rows.shape as [number, number];
  const [weights, mapping] = [tensors.get(WEIGHTS), tensors.get(MAPPING)];
  const tokens = tokensOf(model, tokenizer);
  const sum = (text: string): Float64Array => {
    const vector = new Float64Array(width);
    const read = text.trim().slice(0, model.maxTokens * CHARS_PER_TOKEN);
    for (const id of tokens(read).slice(0, model.maxTokens)) {
      const row = mapping === undefined ? id : valueAt(mapping, id);
      if (row < 0 || row >= count) throw new Error(`the table has no row for token ${id}`);
      const weight = weights === undefined ? 1 : valueAt(weights, id);
      for (let at = 0; at < width; at += 1) vector[at]! += weight * rows.at(row * width + at);
    }
    return vector;
  };
  return { sum, count: (text) => tokens(text.trim()).length };
}

/** Without the tokens that a tokenizer adds, and without what is in no piece: that has a row which says nothing. */
function tokensOf(model: WorkerModel, tokenizer: TextTokenizer): (text: string) => number[] {
  const { unk_token: name } = (model.tokenizer['model'] ?? {}) as { readonly unk_token?: unknown };
  const unknown = typeof name === 'string' ? tokenizer.token_to_id(name) : undefined;
  return (text) =>
    text === '' ? [] : tokenizer.encode(text, { add_special_tokens: false }).ids.filter((id) => id !== unknown);
}

function valueAt({ shape, at }: Tensor, id: number): number {
  if (shape.length !== 1 || id >= shape[0]!) throw new Error(`model.safetensors says nothing of token ${id}`);
  return at(id);
}
