import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tinyTokenizer, vocabularyOf } from './tiny-tokenizer.js';

/** Protocol buffers, as far as an ONNX file needs them. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return Buffer.from([...bytes, left]);
}

const number = (field: number, value: number): Buffer => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field: number, ...parts: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([varint(field * 8 + 2), varint(body.length), body]);
};

const [FLOAT, INT64] = [1, 7];
const WEIGHTS = [2, 3];

/** An operation of the graph, as in NodeProto. */
function node(
  type: string,
  inputs: string[],
  output: string,
  attributes: Readonly<Record<string, number>> = {},
): Buffer {
  const given = Object.entries(attributes).map(([name, value]) =>
    bytes(5, bytes(1, name), number(3, value), number(20, 2)),
  );
  return bytes(1, ...inputs.map((name) => bytes(1, name)), bytes(2, output), bytes(4, type), ...given);
}

function tensor(name: string, dims: number[], values: BigInt64Array | Float32Array): Buffer {
  const type = values instanceof Float32Array ? FLOAT : INT64;
  return bytes(
    5,
    ...dims.map((dim) => number(1, dim)),
    number(2, type),
    bytes(8, name),
    bytes(9, Buffer.from(values.buffer)),
  );
}

/** One number that lies in a file beside the network. */
function externalNumber(name: string, file: string, offset: number): Buffer {
  const entry = (key: string, value: string): Buffer => bytes(13, bytes(1, key), bytes(2, value));
  const where = [entry('location', file), entry('offset', String(offset)), entry('length', '4')];
  return bytes(5, number(1, 1), number(2, FLOAT), bytes(8, name), ...where, number(14, 1));
}

function typed(field: number, name: string, type: number, dims: (number | string)[]): Buffer {
  const shape = dims.map((dim) => bytes(1, typeof dim === 'number' ? number(1, dim) : bytes(2, dim)));
  return bytes(field, bytes(1, name), bytes(2, bytes(1, number(1, type), bytes(2, ...shape))));
}

/**
 * Twice the number of known words that both texts share, less three: computed by a real network of some ten operations. With labels that
 * number is in the middle of three, between zeros.
 */
function network(weights: string | undefined, isClassifier: boolean): Buffer {
  const constant = (name: string, value: number, place: number): Buffer =>
    weights === undefined ? tensor(name, [1], Float32Array.of(value)) : externalNumber(name, weights, place * 4);
  const axis = (name: string, ...axes: bigint[]): Buffer => tensor(name, [axes.length], BigInt64Array.from(axes));
  const graph = bytes(
    7,
    node('Unsqueeze', ['input_ids', 'axis2'], 'row'),
    node('Unsqueeze', ['input_ids', 'axis1'], 'column'),
    node('Unsqueeze', ['token_type_ids', 'axis2'], 'row_part'),
    node('Unsqueeze', ['token_type_ids', 'axis1'], 'column_part'),
    node('Equal', ['row', 'column'], 'same'),
    node('Less', ['row_part', 'column_part'], 'across'),
    node('Greater', ['row', 'last_special'], 'word'),
    node('And', ['same', 'across'], 'same_across'),
    node('And', ['same_across', 'word'], 'shared'),
    node('Cast', ['shared'], 'ones', { to: FLOAT }),
    node('ReduceSum', ['ones', 'both_axes'], 'count', { keepdims: 0 }),
    node('Mul', ['count', 'two'], 'twice'),
    node('Sub', ['twice', 'three'], 'logit'),
    node('Reshape', ['logit', 'one_by_one'], isClassifier ? 'one_logit' : 'logits'),
    ...(isClassifier ? [node('Concat', ['zero', 'one_logit', 'zero'], 'logits', { axis: 1 })] : []),
    bytes(2, 'tiny'),
    axis('axis1', 1n),
    axis('axis2', 2n),
    axis('both_axes', 1n, 2n),
    axis('one_by_one', 1n, 1n),
    tensor('last_special', [1], BigInt64Array.of(3n)),
    ...(isClassifier ? [tensor('zero', [1, 1], Float32Array.of(0))] : []),
    constant('two', WEIGHTS[0]!, 0),
    constant('three', WEIGHTS[1]!, 1),
    typed(11, 'input_ids', INT64, [1, 'n']),
    typed(11, 'token_type_ids', INT64, [1, 'n']),
    typed(12, 'logits', FLOAT, [1, isClassifier ? 3 : 1]),
  );
  return Buffer.concat([number(1, 8), graph, bytes(8, bytes(1, ''), number(2, 13))]);
}

/**
 * Writes the folder of a cross-encoder that knows these words (lower case) and no others. `weights` names a file beside the network for
 * its two numbers. `labels` makes it a classifier: what the three numbers are called.
 */
export async function writeTinyCrossEncoder(
  folder: string,
  words: readonly string[],
  { weights, labels }: { readonly weights?: string; readonly labels?: readonly string[] } = {},
): Promise<void> {
  const part = (id: string, type: number): object => ({ Sequence: { id, type_id: type } });
  const mark = (id: string, type: number): object => ({ SpecialToken: { id, type_id: type } });
  const single = [mark('[CLS]', 0), part('A', 0), mark('[SEP]', 0)];
  const tokenizer = tinyTokenizer({
    vocab: vocabularyOf(['a', ...words]),
    single,
    pair: [...single, part('B', 1), mark('[SEP]', 1)],
    model: { type: 'WordLevel' },
  });
  await writeFile(join(folder, 'model.onnx'), network(weights, labels !== undefined));
  if (weights !== undefined) await writeFile(join(folder, weights), Buffer.from(Float32Array.from(WEIGHTS).buffer));
  await writeFile(join(folder, 'tokenizer.json'), tokenizer);
  await writeFile(join(folder, 'tokenizer_config.json'), JSON.stringify({ model_max_length: 32, unk_token: '[UNK]' }));
  const named = labels === undefined ? {} : { id2label: Object.fromEntries(labels.entries()) };
  const config = { model_type: 'bert', max_position_embeddings: 32, ...named };
  await writeFile(join(folder, 'config.json'), JSON.stringify(config));
}
