import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Where the network of a model folder may lie, in the order in which it is looked for. */
const NETWORKS = ['model.onnx', 'onnx/model.onnx', 'model_quantized.onnx', 'onnx/model_quantized.onnx'];
const NEEDED = ['tokenizer.json', 'config.json'];

export interface LocalModelFiles {
  /** Path of the network; undefined when there is none. */
  readonly network: string | undefined;
  /** What the folder lacks, in words for its operator; empty when it can be tried. */
  readonly missing: readonly string[];
}

/** Looks for the files without which a folder is no embedding model. Reads none of them. */
export function findLocalModelFiles(folder: string): LocalModelFiles {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    return { network: undefined, missing: ['the folder itself'] };
  }
  const network = NETWORKS.map((name) => join(folder, name)).find((path) => existsSync(path));
  const missing = NEEDED.filter((name) => !existsSync(join(folder, name)));
  return { network, missing: network === undefined ? [NETWORKS.join(' or '), ...missing] : missing };
}
