import type { JsonObject } from '#libs/common';
import type { EngineRequest } from './engine-transport.js';

/** Differences between the engines, as data and pure functions. */
export interface EngineDialect {
  /** For display. */
  readonly kind: string;
  /** Settings of an index beside the common ones. */
  readonly indexSettings: JsonObject;
  /** The mapping of the vector field. Type, method and distance are named: the defaults of both engines change by version. */
  readonly vectorField: (dimensions: number) => JsonObject;
  /** The query for the `candidates` nearest rows of each shard among those that pass the filters. */
  readonly nearest: (field: string, vector: readonly number[], candidates: number, filters: JsonObject[]) => JsonObject;
  /** Opens a view of one moment of an index. */
  readonly openView: (index: string, keepAlive: string) => EngineRequest;
  readonly viewIdOf: (answer: unknown) => string;
  readonly closeView: (id: string) => EngineRequest;
}
