import { Answer, Choice, TolerateUnknownFields } from '#libs/http';

export const MODEL_PORTS = ['chat', 'embedding', 'rerank'] as const;
export type ModelPort = (typeof MODEL_PORTS)[number];

@TolerateUnknownFields()
export class ListModelsQuery {
  /** Kind of the models to list. Default: all. */
  @Choice(MODEL_PORTS, { query: true })
  port?: ModelPort;
}

/** A model of this service, or a dataset that answers like one. */
export class Model {
  /**
   * Name of the model; `dataset:<id>` is a chat over one dataset, `default` another name of the first model.
   * @example "builtin-extractive-v1"
   */
  id!: string;

  /** Always `model`. */
  @Answer.Choice(['model'])
  object!: 'model';

  /** Time since which this service offers the model, in Unix seconds. */
  @Answer.Count()
  created!: number;

  /**
   * Provider of the model; for a dataset, the account that owns it.
   * @example "builtin"
   */
  owned_by!: string;

  /** Purpose of the model. Only `chat` can be the `model` of a chat completion, only `embedding` that of an ingestion policy. */
  @Answer.Choice(MODEL_PORTS)
  port!: ModelPort;

  /**
   * Display name: for a dataset its name, for a model its provider and the provider's name for it; for an embedding model, the name that
   * `embedding.model` of a dataset shows.
   * @example "builtin-extractive-v1"
   */
  name!: string;
}

/** The models, in the shape of OpenAI's `GET /models`. */
export class ModelList {
  /** Always `list`. */
  @Answer.Choice(['list'])
  object!: 'list';

  /** Models, those for chats first; `default` is another name of the first. */
  @Answer.NestedList(Model)
  data!: Model[];
}
