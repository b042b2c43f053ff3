import { aiErrors } from './ai.errors.js';
import type { ChatModel } from './chat-model.port.js';
import type { Embedder } from './embedder.port.js';
import type { Reranker } from './reranker.port.js';

/** A model of the installation by the id that `GET /models` shows. */
export interface NamedModel<Port> {
  readonly id: string;
  readonly model: Port;
  /**
   * Set for a model that an earlier version had under the same settings, which is used only for vectors made with it: the space of the model that
   * has replaced it.
   */
  readonly formerOf?: string;
}

type Described = { readonly descriptor: { readonly provider: string; readonly model: string } };

/** The models of one port. The first is the configured one, which is used unless another one is named. */
export class ModelList<Port extends Described> {
  constructor(
    /** The configured model. */
    readonly own: Port,
    protected readonly further: readonly NamedModel<Port>[] = [],
  ) {}

  /** The configured model first, then those of MODELS_FILE in their order. */
  get all(): readonly NamedModel<Port>[] {
    return [{ id: this.ownId, model: this.own }, ...this.further];
  }

  /** Finds a model by its id; undefined when no model of this port has it. */
  findNamed(id: string): NamedModel<Port> | undefined {
    return this.all.find((one) => one.id === id);
  }

  /** As `findNamed`. */
  find(id: string): Port | undefined {
    return this.findNamed(id)?.model;
  }

  protected get ownId(): string {
    return withProvider(this.own);
  }
}

/** Embedding models: what datasets and settings call the installation's own is its id. */
export class EmbedderList<Port extends Described = Embedder> extends ModelList<Port> {
  /** By its id, by the id with its provider that the installation's own had before, or by a name that datasets record and one model alone has. */
  override findNamed(id: string): NamedModel<Port> | undefined {
    const named = super.findNamed(id);
    if (named !== undefined) return named;
    const before = this.all.find(({ model }) => withProvider(model) === id);
    if (before !== undefined) return before;
    const [recorded, ...others] = this.all.filter(({ model }) => model.descriptor.model === id);
    return others.length === 0 ? recorded : undefined;
  }

  /** With its provider where MODELS_FILE gives the name to another model. */
  protected override get ownId(): string {
    const { model } = this.own.descriptor;
    return this.further.some(({ id }) => id === model) ? withProvider(this.own) : model;
  }
}

function withProvider({ descriptor: { provider, model } }: Described): string {
  return `${provider}-${model}`;
}

/** All models of the installation, by port. Injection token. */
export class InstalledModels {
  constructor(
    readonly embedders: EmbedderList,
    readonly rerankers: ModelList<Reranker>,
    readonly chatModels: ModelList<ChatModel>,
  ) {}

  /** The model whose vectors are of this space; undefined when the installation has none. */
  embedderOf(space: string): Embedder | undefined {
    return this.embedders.all.find(({ model }) => model.descriptor.space === space)?.model;
  }

  /** The model that embeds new texts of a dataset with this space: the model of the space, or the configured one where that is gone. */
  embedderFor(space: string): Embedder {
    return this.embedderOf(space) ?? this.embedders.own;
  }

  /** Whether the vectors of this space are those that an earlier version made where the model of `present` makes them now; they are still searched. */
  isFormer(space: string, present: string): boolean {
    return this.embedders.all.some(({ model, formerOf }) => model.descriptor.space === space && formerOf === present);
  }

  /** The spaces of all embedding models without duplicates, that of the configured one first. */
  get spaces(): readonly string[] {
    return [...new Set(this.embedders.all.map(({ model }) => model.descriptor.space))];
  }
}

/** What an embedding model was in an earlier version, and the space that it has now. */
export interface FormerEmbedder {
  readonly model: Embedder;
  readonly formerOf: string;
}

/** Former models of the chosen adapter, under ids of their own, as far as no other model has their space. */
export function addFormer(
  own: Embedder,
  further: readonly NamedModel<Embedder>[],
  former: readonly FormerEmbedder[],
): NamedModel<Embedder>[] {
  const spaces = new Set([own, ...further.map(({ model }) => model)].map(({ descriptor: { space } }) => space));
  const ids = new Set([own.descriptor.model, ...further.map(({ id }) => id)]);
  const added = former
    .filter(({ model: { descriptor } }) => !spaces.has(descriptor.space))
    .map(({ model, formerOf }) => ({ id: freeId(model.descriptor.model, ids), model, formerOf }));
  return [...further, ...added];
}

function freeId(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? `${name}-former` : name;
}

/** @throws `ai.same_embedding_space` for two embedding models whose vectors no one could tell apart */
export function requireSpacesOfTheirOwn(models: InstalledModels): InstalledModels {
  const owners = new Map<string, string>();
  for (const { id, model } of models.embedders.all) {
    const owner = owners.get(model.descriptor.space);
    if (owner !== undefined) throw aiErrors.same_embedding_space({ first: owner, second: id });
    owners.set(model.descriptor.space, id);
  }
  return models;
}
