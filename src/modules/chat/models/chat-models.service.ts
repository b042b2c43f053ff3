import { Injectable } from '@nestjs/common';
import { InstalledModels, type ChatModel, type NamedModel } from '#libs/ai';
import { NOWHERE_TENANT, type DatasetId } from '#libs/common';
import { validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, type DatasetSummary } from '../../datasets/index.js';
import { chatErrors } from '../chat.errors.js';
import { datasetIdOf, datasetModelOf } from '../turn/dataset-model.js';
import type { ChatCompletionRequest } from '../turn/chat-completion-request.dto.js';
import type { Model, ModelList, ModelPort } from './model.dto.js';

/** Name of the configured model, for clients that must send one. */
const DEFAULT_NAME = 'default';
/** Maximum number of datasets in the list of models, the newest first. */
const MAX_DATASET_MODELS = 100;

/** The name of a chat's model and the datasets that it answers from. */
export interface ResolvedModel {
  readonly model: string;
  readonly datasetIds: readonly DatasetId[];
  /** The model that writes the answer. */
  readonly chatModel: ChatModel;
}

/** The models of this service by their names in requests. */
@Injectable()
export class ChatModels {
  private readonly created = Math.floor(Date.now() / 1_000);

  constructor(
    private readonly installed: InstalledModels,
    private readonly datasets: DatasetAccess,
  ) {}

  /** Chat models first, the newest datasets among them; none in a tenant that the caller does not belong to. */
  async list(ctx: RequestContext, port?: ModelPort): Promise<ModelList> {
    if (ctx.tenantId === NOWHERE_TENANT) return { object: 'list', data: [] };
    const datasets = await this.datasets.listNewest(ctx, MAX_DATASET_MODELS);
    const data = [...this.forChats(), ...datasets.map(toDatasetModel), ...this.others()];
    return { object: 'list', data: port === undefined ? data : data.filter((model) => model.port === port) };
  }

  /** One model. @throws `chat.model_not_found`, for a dataset that the caller does not see too. */
  async get(ctx: RequestContext, id: string): Promise<Model> {
    const datasetId = datasetIdOf(id);
    if (datasetId !== undefined) return toDatasetModel(await this.requireDataset(ctx, id, datasetId));
    const all = ctx.tenantId === NOWHERE_TENANT ? [] : [...this.forChats(), ...this.others()];
    const shown = all.find((model) => model.id === id) ?? this.otherwiseNamed(id, all);
    if (shown === undefined) throw this.notFound(id);
    return shown;
  }

  /**
   * The model and the datasets of a chat. Without a name, and for `default` and datasets, the configured model answers.
   * @throws `chat.model_not_found`; `http.validation_failed` for further datasets beside a model that names one.
   */
  async resolve(
    ctx: RequestContext,
    { model, dataset_ids = [] }: Pick<ChatCompletionRequest, 'model' | 'dataset_ids'>,
  ): Promise<ResolvedModel> {
    const name = model ?? DEFAULT_NAME;
    const datasetId = datasetIdOf(name);
    if (datasetId === undefined) {
      const found = this.chatModels.find(({ id }) => name === DEFAULT_NAME || id === name);
      if (found === undefined) throw this.notFound(name);
      return { model: found.id, datasetIds: dataset_ids as DatasetId[], chatModel: found.model };
    }
    if (dataset_ids.some((id) => id.toLowerCase() !== datasetId)) {
      const detail = 'dataset_ids must be omitted where the model names a dataset, or contain only that dataset';
      throw validationFailed([{ pointer: '/dataset_ids', code: 'model_names_dataset', detail }]);
    }
    const { id } = await this.requireDataset(ctx, name, datasetId);
    return { model: datasetModelOf(id), datasetIds: [id], chatModel: this.installed.chatModels.own };
  }

  private async requireDataset(ctx: RequestContext, name: string, datasetId: string): Promise<DatasetSummary> {
    const dataset = await this.datasets.findSummary(ctx, datasetId);
    if (dataset === undefined) throw this.notFound(name);
    return dataset;
  }

  private notFound(model: string): Error {
    const available = [...this.chatModels.map(({ id }) => id), DEFAULT_NAME, datasetModelOf('<id>')];
    return chatErrors.model_not_found({ model, available });
  }

  private get chatModels(): readonly NamedModel<ChatModel>[] {
    return this.installed.chatModels.all;
  }

  /** Those that write answers, and `default` for the first of them. */
  private forChats(): Model[] {
    const models = this.ofPort('chat');
    return [...models, ...models.slice(0, 1).map((own) => ({ ...own, id: DEFAULT_NAME }))];
  }

  /** An embedding model by another name than its id. */
  private otherwiseNamed(name: string, all: readonly Model[]): Model | undefined {
    const id = this.installed.embedders.findNamed(name)?.id;
    return all.find((model) => model.port === 'embedding' && model.id === id);
  }

  private others(): Model[] {
    return [...this.ofPort('embedding'), ...this.ofPort('rerank')];
  }

  private ofPort(port: ModelPort): Model[] {
    const { chatModels, embedders, rerankers } = this.installed;
    const explainLab = { chat: chatModels, embedding: embedders, rerank: rerankers }[port];
    return explainLab.all.map(({ id, model: { descriptor } }) => {
      const name = port === 'embedding' ? descriptor.model : `${descriptor.provider}-${descriptor.model}`;
      return { id, object: 'model', created: this.created, owned_by: descriptor.provider, port, name };
    });
  }
}

function toDatasetModel({ id, name, ownerId, createdAt }: DatasetSummary): Model {
  const created = Math.floor(createdAt.getTime() / 1_000);
  return { id: datasetModelOf(id), object: 'model', created, owned_by: ownerId, port: 'chat', name };
}
