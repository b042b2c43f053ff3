import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Where the network of a model folder may lie, in the order in which it is looked for. */
const NETWORKS = ['model.onnx', 'onnx/model.onnx', 'model_quantized.onnx', 'onnx/model_quantized.onnx'];
const NEEDED = ['tokenizer.json', 'config.json'];
/** Read when they are there. */
const OPTIONAL = [
  'tokenizer_config.json',
  'sentence_bert_config.json',
  '1_Pooling/config.json',
  'config_sentence_transformers.json',
  'modules.json',
];

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

export interface ChosenModelFiles extends LocalModelFiles {
  /** Paths of everything that is read of the model, the network among them. */
  readonly files: readonly string[];
}

/**
 * Chooses of the files that somebody offers (paths with `/`) those that a model folder needs: one network and what describes it.
 * `quantized` takes a network of that kind and no other.
 */
export function chooseLocalModelFiles(
  offered: readonly string[],
  { quantized = false }: { readonly quantized?: boolean } = {},
): ChosenModelFiles {
  const networks = quantized ? NETWORKS.filter((name) => name.includes('quantized')) : NETWORKS;
  const network = networks.find((name) => offered.includes(name));
  const missing = NEEDED.filter((name) => !offered.includes(name));
  const files = [...NEEDED, ...OPTIONAL].filter((name) => offered.includes(name));
  return {
    network,
    missing: network === undefined ? [networks.join(' or '), ...missing] : missing,
    files: network === undefined ? files : [network, ...files],
  };
}
