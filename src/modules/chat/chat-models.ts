import { Injectable } from '@nestjs/common';
import { ChatModel, Embedder, Reranker } from '#libs/ai';
import { NOWHERE_TENANT, type DatasetId } from '#libs/common';
import { validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, type DatasetSummary } from '../datasets/index.js';
import { chatErrors } from './chat.errors.js';
import { datasetIdOf, datasetModelOf } from './dataset-model.js';
import type { ChatCompletionRequest } from './dto/chat-completion-request.dto.js';
import type { Model, ModelList, ModelPort } from './dto/model.dto.js';

/** What clients send that must name some model. */
const DEFAULT_NAME = 'default';
/** Most datasets that the list of models names, the newest first. */
const MAX_DATASET_MODELS = 100;

/** The name of a chat's model and the datasets that it answers from. */
export interface ResolvedModel {
  readonly model: string;
  readonly datasetIds: readonly DatasetId[];
}

/** The models of this service by the names that requests give them. */
@Injectable()
export class ChatModels {
  private readonly chat: Model;
  /** Those that answer no chat. */
  private readonly others: readonly Model[];

  constructor(
    chat: ChatModel,
    embedder: Embedder,
    reranker: Reranker,
    private readonly datasets: DatasetAccess,
  ) {
    const created = Math.floor(Date.now() / 1_000);
    this.chat = toModel(chat, 'chat', created);
    this.others = [toModel(embedder, 'embedding', created), toModel(reranker, 'rerank', created)];
  }

  /** Chat models first, the newest datasets among them; none in a tenant that the caller does not belong to. */
  async list(ctx: RequestContext): Promise<ModelList> {
    if (ctx.tenantId === NOWHERE_TENANT) return { object: 'list', data: [] };
    const datasets = await this.datasets.listNewest(ctx, MAX_DATASET_MODELS);
    return { object: 'list', data: [this.chat, ...datasets.map(toDatasetModel), ...this.others] };
  }

  /** One model. @throws `chat.model_not_found`, for a dataset that the caller does not see too. */
  async get(ctx: RequestContext, id: string): Promise<Model> {
    const datasetId = datasetIdOf(id);
    if (datasetId !== undefined) return toDatasetModel(await this.requireDataset(ctx, id, datasetId));
    const all = ctx.tenantId === NOWHERE_TENANT ? [] : [this.chat, ...this.others];
    const found = all.find((model) => model.id === (id === DEFAULT_NAME ? this.chat.id : id));
    if (found === undefined) throw this.notFound(id);
    return found;
  }

  /**
   * What a chat is answered by and from; without a name, or by `default`, by the configured model.
   * @throws `chat.model_not_found`; `http.validation_failed` for further datasets beside a model that names one.
   */
  async resolve(
    ctx: RequestContext,
    { model, dataset_ids = [] }: Pick<ChatCompletionRequest, 'model' | 'dataset_ids'>,
  ): Promise<ResolvedModel> {
    const name = model ?? DEFAULT_NAME;
    const datasetId = datasetIdOf(name);
    if (datasetId === undefined) {
      if (name !== DEFAULT_NAME && name !== this.chat.id) throw this.notFound(name);
      return { model: this.chat.id, datasetIds: dataset_ids as DatasetId[] };
    }
    if (dataset_ids.some((id) => id.toLowerCase() !== datasetId)) {
      const detail = 'dataset_ids must be left out where the model names a dataset, or name that dataset alone';
      throw validationFailed([{ pointer: '/dataset_ids', code: 'model_names_dataset', detail }]);
    }
    const { id } = await this.requireDataset(ctx, name, datasetId);
    return { model: datasetModelOf(id), datasetIds: [id] };
  }

  private async requireDataset(ctx: RequestContext, name: string, datasetId: string): Promise<DatasetSummary> {
    const dataset = await this.datasets.findSummary(ctx, datasetId);
    if (dataset === undefined) throw this.notFound(name);
    return dataset;
  }

  private notFound(model: string): Error {
    return chatErrors.model_not_found({ model, available: [this.chat.id, DEFAULT_NAME, datasetModelOf('<id>')] });
  }
}

interface Described {
  readonly descriptor: { readonly provider: string; readonly model: string };
}

function toModel({ descriptor: { provider, model } }: Described, port: ModelPort, created: number): Model {
  const id = `${provider}-${model}`;
  return { id, object: 'model', created, owned_by: provider, port, name: id };
}

function toDatasetModel({ id, name, ownerId, createdAt }: DatasetSummary): Model {
  const created = Math.floor(createdAt.getTime() / 1_000);
  return { id: datasetModelOf(id), object: 'model', created, owned_by: ownerId, port: 'chat', name };
}
