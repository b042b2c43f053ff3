import { basename, resolve } from 'node:path';
import { integer, oneOf, optionalText } from '#libs/config';
import { defineEmbedder, defineReranker } from '../define-models.js';
import { EMBEDDING_MAX_TOKENS, EMBEDDING_MODEL, EMBEDDING_PREFIXES, MODELS, RERANK_MODEL } from '../model-settings.js';
import { GROUNDING_MODEL_PATH } from './local-entailment.adapter.js';
import { findLocalModelFiles } from './local-model-files.js';
import { loadConfiguredModel } from './load-configured-model.js';

const settings = {
  name: EMBEDDING_MODEL,
  path: optionalText('EMBEDDING_MODEL_PATH', {
    section: MODELS,
    description:
      'Folder of an ONNX model for EMBEDDING_PROVIDER=local, with model.onnx (or onnx/model.onnx), tokenizer.json and config.json; files of sentence-transformers are read if present. For a static model (model2vec), with model.safetensors instead of model.onnx.',
  }),
  pooling: oneOf('EMBEDDING_POOLING', ['auto', 'mean', 'cls', 'max', 'last'], 'auto', {
    section: MODELS,
    description:
      'Pooling by which a local model makes one vector from those of its tokens; auto: as in 1_Pooling/config.json, otherwise mean. Another value is another embedding space.',
  }),
  maxTokens: EMBEDDING_MAX_TOKENS,
  ...EMBEDDING_PREFIXES,
  threads: integer(
    'EMBEDDING_THREADS',
    1,
    { min: 1, max: 64 },
    { section: MODELS, description: 'Number of threads of a local embedding model.' },
  ),
};

interface FolderOfModel {
  readonly name: string | undefined;
  readonly path: string | undefined;
}

/** What models in folders have in common. */
const IN_FOLDER = {
  processes: 'many',
  inProcess: true,
  packages: ['onnxruntime-node', '@huggingface'],
  modelOf: ({ name, path }: FolderOfModel) => name ?? (path === undefined ? undefined : basename(path)),
} as const;

/** What the folder that a setting names lacks. */
function problemsOfFolder(setting: string, path: string | undefined): string[] {
  const { missing } = path === undefined ? { missing: [] } : findLocalModelFiles(resolve(path));
  return missing.map((what) => `${setting}: ${JSON.stringify(path)} lacks ${what}.`);
}

/** A model in a folder, computed by ONNX Runtime in this process. */
export const localEmbedder = defineEmbedder({
  kind: 'local',
  settings,
  required: ['path'],
  ...IN_FOLDER,
  findProblems: ({ path }, isChosen) => problemsOfFolder(settings.path.name, isChosen ? path : undefined),
  open: async ({ path, ...options }) => {
    const { LocalEmbedder } = await import('./local-embedder.js');
    return loadConfiguredModel(settings.path.name, () => LocalEmbedder.load({ path: path ?? '', ...options }));
  },
  openFormer: async (_values, own) => {
    const { LocalEmbedder } = await import('./local-embedder.js');
    const former = own instanceof LocalEmbedder ? own.former() : null;
    return former === null ? [] : [former];
  },
});

const rerankSettings = {
  name: RERANK_MODEL,
  path: optionalText('RERANK_MODEL_PATH', {
    section: MODELS,
    description:
      'Folder of an ONNX cross-encoder for RERANK_PROVIDER=local, with the same files as that of a local embedding model.',
  }),
  threads: integer(
    'RERANK_THREADS',
    1,
    { min: 1, max: 64 },
    { section: MODELS, description: 'Number of threads of a local reranking model.' },
  ),
};

/** A cross-encoder in a folder, computed by ONNX Runtime in this process. */
export const localReranker = defineReranker({
  kind: 'local',
  settings: rerankSettings,
  required: ['path'],
  ...IN_FOLDER,
  findProblems: ({ path }, isChosen) => problemsOfFolder(rerankSettings.path.name, isChosen ? path : undefined),
  open: async ({ path, ...options }) => {
    const { LocalReranker } = await import('./local-reranker.js');
    return loadConfiguredModel(rerankSettings.path.name, () => LocalReranker.load({ path: path ?? '', ...options }));
  },
});

/** The settings that name a model's folder. */
export const LOCAL_MODEL_PATHS = [settings.path, rerankSettings.path, GROUNDING_MODEL_PATH];
