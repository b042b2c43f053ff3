import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTensors } from './safetensors.js';
import { safetensorsOf } from './testing/tiny-static-model.js';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'safetensors-'));
  path = join(folder, 'model.safetensors');
});
afterEach(() => rm(folder, { recursive: true }));

const bytesOf = (view: ArrayBufferView): Buffer => Buffer.from(view.buffer, view.byteOffset, view.byteLength);

describe('readTensors', () => {
  it.each([
    ['F64', bytesOf(Float64Array.of(0.5, -2, 3)), [0.5, -2, 3]],
    ['F32', bytesOf(Float32Array.of(0.5, -2, 3)), [0.5, -2, 3]],
    ['F16', bytesOf(Uint16Array.of(0x3800, 0xc000, 0x4200)), [0.5, -2, 3]],
    ['F16', bytesOf(Uint16Array.of(0x0001, 0x8000, 0x7bff)), [2 ** -24, -0, 65_504]],
    ['BF16', bytesOf(Uint16Array.of(0x3f00, 0xc000, 0x4040)), [0.5, -2, 3]],
    ['I64', bytesOf(BigInt64Array.of(7n, -1n, 2n)), [7, -1, 2]],
    ['I32', bytesOf(Int32Array.of(7, -1, 2)), [7, -1, 2]],
    ['I8', bytesOf(Int8Array.of(7, -1, 2)), [7, -1, 2]],
  ])('reads numbers of the type %s', async (dtype, bytes, numbers) => {
    const before = { dtype: 'U8', shape: [3], bytes: Buffer.from([1, 2, 3]) };
    await writeFile(path, safetensorsOf({ before, wanted: { dtype, shape: [3], bytes } }));
    const tensors = readTensors(path, ['wanted', 'absent']);
    expect([...tensors.keys()]).toEqual(['wanted']);
    const { shape, at } = tensors.get('wanted')!;
    expect(shape).toEqual([3]);
    expect([0, 1, 2].map(at)).toEqual(numbers);
  });

  it.each<[string, Buffer]>([
    ['sane length', Buffer.alloc(4)],
    ['sane length', Buffer.from('not a file of this kind')],
    ['JSON object', Buffer.concat([Buffer.from([3, 0, 0, 0, 0, 0, 0, 0]), Buffer.from('{"a')])],
    ['is of the type C64', safetensorsOf({ a: { dtype: 'C64', shape: [1], bytes: Buffer.alloc(8) } })],
    ['as long as its shape says', safetensorsOf({ a: { dtype: 'F32', shape: [3], bytes: Buffer.alloc(8) } })],
    [
      'as long as its shape says',
      safetensorsOf({ a: { dtype: 'F32', shape: [2], bytes: Buffer.alloc(8) } }).subarray(0, -1),
    ],
    ['is not described', safetensorsOf({ a: { dtype: 'F32', shape: [-2], bytes: Buffer.alloc(8) } })],
  ])('refuses what has no %s', async (words, bytes) => {
    await writeFile(path, bytes);
    expect(() => readTensors(path, ['a'])).toThrow(words);
  });
});
