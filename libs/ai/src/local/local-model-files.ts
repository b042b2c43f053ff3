import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Where the network of a model folder may lie, in the order in which it is looked for. */
const NETWORKS = ['model.onnx', 'onnx/model.onnx', 'model_quantized.onnx', 'onnx/model_quantized.onnx'];
/** Where a static model keeps its rows. A network beside it, if there is one, asks for other inputs. */
export const STATIC_MODEL_FILE = 'model.safetensors';
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
  /** Path of the network, or of the table of a static model; undefined when there is none. */
  readonly network: string | undefined;
  /** What the folder lacks, in words for its operator; empty when it can be tried. */
  readonly missing: readonly string[];
}

/** Looks for the files without which a folder is no embedding model. Reads config.json alone. */
export function findLocalModelFiles(folder: string): LocalModelFiles & { readonly isStatic: boolean } {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    return { network: undefined, missing: ['the folder itself'], isStatic: false };
  }
  const config = join(folder, 'config.json');
  const isStatic = existsSync(config) && isStaticConfig(readFileSync(config, 'utf8'));
  const networks = isStatic ? [STATIC_MODEL_FILE] : NETWORKS;
  const network = networks.map((name) => join(folder, name)).find((path) => existsSync(path));
  const missing = NEEDED.filter((name) => !existsSync(join(folder, name)));
  return { network, missing: network === undefined ? [networks.join(' or '), ...missing] : missing, isStatic };
}

/** Whether config.json says that a model is a table of rows (`model2vec`). */
export function isStaticConfig(config: string): boolean {
  try {
    const value: unknown = JSON.parse(config);
    return typeof value === 'object' && value !== null && 'model_type' in value && value.model_type === 'model2vec';
  } catch (error) {
    // What reads the file for itself says that it is no JSON.
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

export interface ChosenModelFiles extends LocalModelFiles {
  /** Paths of everything that is read of the model, the network among them. */
  readonly files: readonly string[];
}

/**
 * Selects from the offered files (paths with `/`) those that a model folder needs: one network and its description. With `quantized` only a
 * quantized network is taken; `isStatic` is the kind that config.json names.
 */
export function chooseLocalModelFiles(
  offered: readonly string[],
  { quantized = false, isStatic = false }: { readonly quantized?: boolean; readonly isStatic?: boolean } = {},
): ChosenModelFiles {
  const all = isStatic ? [STATIC_MODEL_FILE] : NETWORKS;
  const networks = quantized ? all.filter((name) => name.includes('quantized')) : all;
  const network = networks.find((name) => offered.includes(name));
  const missing = NEEDED.filter((name) => !offered.includes(name));
  const files = [...NEEDED, ...OPTIONAL].filter((name) => offered.includes(name));
  return {
    network,
    missing: network === undefined ? [networks.join(' or ') || 'a quantized network', ...missing] : missing,
    files: network === undefined ? files : [network, ...files],
  };
}
