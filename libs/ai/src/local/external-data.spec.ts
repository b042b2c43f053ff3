import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findExternalData, NotAnOnnxFileError } from './external-data.js';
import { writeTinyCrossEncoder } from './testing/tiny-cross-encoder.js';

describe('findExternalData', () => {
  let folder: string;
  let network: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'external-data-'));
    network = join(folder, 'model.onnx');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('finds no file for a network that holds its weights itself', async () => {
    await writeTinyCrossEncoder(folder, ['pump']);
    expect(await findExternalData(network)).toEqual([]);
  });

  it('names each file that tensors refer to once', async () => {
    await writeTinyCrossEncoder(folder, ['pump'], { weights: 'weights.bin' });
    expect(await findExternalData(network)).toEqual(['weights.bin']);
  });

  it('refuses what is no network, and one that is cut', async () => {
    await writeTinyCrossEncoder(folder, ['pump']);
    const whole = await readFile(network);
    for (const bytes of [Buffer.from('not a network'), whole.subarray(0, whole.length >> 1)]) {
      await writeFile(network, bytes);
      await expect(findExternalData(network)).rejects.toBeInstanceOf(NotAnOnnxFileError);
    }
  });
});
