import { basename, resolve } from 'node:path';
import { anyAdapter, integer, optionalText, type AdapterDefinition } from '#libs/config';
import type { ModelContext } from '../define-models.js';
import type { EntailmentModel } from '../entailment-model.port.js';
import { MODELS } from '../model-settings.js';
import { findLocalModelFiles } from './local-model-files.js';
import { loadConfiguredModel } from './load-configured-model.js';

/** The setting that names the folder of the entailment model. */
export const GROUNDING_MODEL_PATH = optionalText('GROUNDING_MODEL_PATH', {
  section: MODELS,
  description:
    'Folder of an ONNX cross-encoder for GROUNDING_METHOD=nli, with the same files as that of a local embedding model; its config.json names the label entailment (id2label).',
});

const settings = {
  path: GROUNDING_MODEL_PATH,
  threads: integer(
    'GROUNDING_THREADS',
    1,
    { min: 1, max: 64 },
    { section: MODELS, description: 'Number of threads of a local entailment model.' },
  ),
};

const definition: AdapterDefinition<EntailmentModel | null, ModelContext, typeof settings> = {
  kind: 'nli',
  settings,
  required: ['path'],
  processes: 'many',
  inProcess: true,
  packages: ['onnxruntime-node', '@huggingface'],
  modelOf: ({ path }) => (path === undefined ? undefined : basename(path)),
  findProblems: ({ path }, isChosen) => {
    if (!isChosen || path === undefined) return [];
    const { missing } = findLocalModelFiles(resolve(path));
    return missing.map((what) => `${settings.path.name}: ${JSON.stringify(path)} lacks ${what}.`);
  },
  open: async ({ path, threads }) => {
    const { LocalEntailment } = await import('./local-entailment.js');
    return loadConfiguredModel(settings.path.name, () => LocalEntailment.load({ path: path ?? '', threads }));
  },
};

/** An NLI cross-encoder in a folder, computed by ONNX Runtime in this process. */
export const localEntailment = anyAdapter(definition);
