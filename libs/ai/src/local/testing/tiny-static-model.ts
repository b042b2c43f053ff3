import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SPECIAL_TOKENS, tinyTokenizer, vocabularyOf } from './tiny-tokenizer.js';

/** A table of a file in the format safetensors. */
export interface TestTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: Buffer;
}

export function floats(rows: readonly (readonly number[])[]): TestTensor {
  const bytes = Buffer.from(Float32Array.from(rows.flat()).buffer);
  return { dtype: 'F32', shape: [rows.length, rows[0]?.length ?? 0], bytes };
}

/** A file of these tables, as the package of that name writes it. */
export function safetensorsOf(tensors: Readonly<Record<string, TestTensor>>): Buffer {
  let at = 0;
  const described = Object.entries(tensors).map(([name, { dtype, shape, bytes }]) => {
    const data_offsets = [at, at + bytes.length];
    at += bytes.length;
    return [name, { dtype, shape, data_offsets }] as const;
  });
  const header = Buffer.from(JSON.stringify({ __metadata__: { format: 'pt' }, ...Object.fromEntries(described) }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, ...Object.values(tensors).map(({ bytes }) => bytes)]);
}

/** Writes the folder of a static model that knows these words (lower case) and no others; `tensors` as its rows, else a direction for each. */
export async function writeTinyStaticModel(
  folder: string,
  words: readonly string[],
  tensors?: Readonly<Record<string, TestTensor>>,
): Promise<void> {
  const tokens = [...SPECIAL_TOKENS, ...words];
  const mark = (id: string): object => ({ SpecialToken: { id, type_id: 0 } });
  const tokenizer = tinyTokenizer({
    vocab: vocabularyOf(words),
    single: [mark('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, mark('[SEP]')],
    pair: [],
    model: { type: 'WordPiece', continuing_subword_prefix: '##', max_input_chars_per_word: 100 },
  });
  const directions = tokens.map((_, row) => tokens.map((__, at) => Number(at === row)));
  const config = { model_type: 'model2vec', architectures: ['StaticModel'], seq_length: 1_000_000, normalize: true };
  await writeFile(join(folder, 'model.safetensors'), safetensorsOf(tensors ?? { embeddings: floats(directions) }));
  await writeFile(join(folder, 'tokenizer.json'), tokenizer);
  await writeFile(join(folder, 'config.json'), JSON.stringify(config));
  const types = ['StaticEmbedding', 'Normalize'].map((type) => ({ type: `sentence_transformers.models.${type}` }));
  await writeFile(join(folder, 'modules.json'), JSON.stringify(types));
}
