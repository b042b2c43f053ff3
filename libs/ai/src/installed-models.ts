import { aiErrors } from './ai.errors.js';
import type { ChatModel } from './chat-model.port.js';
import type { Embedder } from './embedder.port.js';
import type { Reranker } from './reranker.port.js';

/** A model of the installation by the id that `GET /models` shows. */
export interface NamedModel<Port> {
  readonly id: string;
  readonly model: Port;
}

type Described = { readonly descriptor: { readonly provider: string; readonly model: string } };

/** The models of one port. The first is the installation's own: what nobody chooses otherwise is done by it. */
export class ModelShelf<Port extends Described> {
  constructor(
    /** The installation's own. */
    readonly own: Port,
    private readonly further: readonly NamedModel<Port>[] = [],
  ) {}

  /** The installation's own first, the others in the order of MODELS_FILE. */
  get all(): readonly NamedModel<Port>[] {
    const { provider, model } = this.own.descriptor;
    return [{ id: `${provider}-${model}`, model: this.own }, ...this.further];
  }

  /** Undefined for an id that no model of this port has. */
  find(id: string): Port | undefined {
    return this.all.find((one) => one.id === id)?.model;
  }
}

/** Every model that this installation can use, by port. Injection token. */
export class InstalledModels {
  constructor(
    readonly embedders: ModelShelf<Embedder>,
    readonly rerankers: ModelShelf<Reranker>,
    readonly chatModels: ModelShelf<ChatModel>,
  ) {}

  /** The model whose vectors are of this space; undefined when the installation has none. */
  embedderOf(space: string): Embedder | undefined {
    return this.embedders.all.find(({ model }) => model.descriptor.space === space)?.model;
  }

  /** The model that embeds what comes into a dataset whose vectors are of this space: its own, or the installation's where that is gone. */
  embedderFor(space: string): Embedder {
    return this.embedderOf(space) ?? this.embedders.own;
  }

  /** The spaces of all embedding models, each once, the installation's own first. */
  get spaces(): readonly string[] {
    return [...new Set(this.embedders.all.map(({ model }) => model.descriptor.space))];
  }
}

/** @throws `ai.same_embedding_space` for two embedding models whose vectors nobody could tell apart */
export function requireSpacesOfTheirOwn(models: InstalledModels): InstalledModels {
  const owners = new Map<string, string>();
  for (const { id, model } of models.embedders.all) {
    const owner = owners.get(model.descriptor.space);
    if (owner !== undefined) throw aiErrors.same_embedding_space({ first: owner, second: id });
    owners.set(model.descriptor.space, id);
  }
  return models;
}
