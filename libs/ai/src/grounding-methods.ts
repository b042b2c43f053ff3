import { anyAdapter, type AdapterDefinition, type AdapterPort } from '#libs/config';
import type { ModelContext } from './define-models.js';
import type { EntailmentModel } from './entailment-model.port.js';
import { localEntailment } from './local/local-entailment.adapter.js';
import { MODELS } from './model-settings.js';

/** How it is measured whether sources support an answer. */
export const GROUNDING_METHODS = ['lexical', 'reranker', 'nli'] as const;
export type GroundingMethod = (typeof GROUNDING_METHODS)[number];

/** A measure that needs no model of its own. */
function withoutModel(kind: GroundingMethod): AdapterDefinition<EntailmentModel | null, ModelContext> {
  return anyAdapter({ kind, settings: {}, processes: 'many', packages: [], open: () => Promise.resolve(null) });
}

/** The measures with the entailment model that they need; null for those that need none. */
export const GROUNDINGS: AdapterPort<EntailmentModel | null, ModelContext> = {
  setting: 'GROUNDING_METHOD',
  section: MODELS,
  description:
    'Method that measures whether sources support an answer. lexical: by shared words, threshold 0.6. reranker: by the reranking model, one call for each sentence, threshold 0.5. nli: by an entailment model (NLI cross-encoder) in the folder GROUNDING_MODEL_PATH, threshold 0.5.',
  fallback: 'lexical',
  adapters: [withoutModel('lexical'), withoutModel('reranker'), localEntailment],
  announced: [],
};
