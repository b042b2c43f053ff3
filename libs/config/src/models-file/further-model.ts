import type { AdapterValues } from '../adapters/adapter.js';
import type { ModelPrice } from '../model-prices.js';

/** What a model can be used for, by the names that `GET /models` shows. */
export const FURTHER_MODEL_PORTS = ['embedding', 'rerank', 'chat'] as const;
export type FurtherModelPort = (typeof FURTHER_MODEL_PORTS)[number];

/** A model of MODELS_FILE, checked: everything that its adapter needs to open it. */
export interface FurtherModel {
  /** As `GET /models` shows it; unique among all models of the installation. */
  readonly id: string;
  readonly port: FurtherModelPort;
  /** Kind of its adapter. */
  readonly provider: string;
  /** What the provider calls it; of a local model the name of its folder; undefined where the provider has one model. */
  readonly model: string | undefined;
  /** Its adapter's settings by their names in the environment, its key among them: never to be logged. */
  readonly values: AdapterValues;
  readonly price: ModelPrice | undefined;
}
