import { Injectable } from '@nestjs/common';
import { InstalledModels, type Embedder, type NamedModel } from '#libs/ai';
import { validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import type { CreateEmbeddingsRequest, EmbeddingList, EncodingFormat } from './embeddings.dto.js';
import { integrationErrors } from '../integrations.errors.js';

/** Model name for clients that must send one. */
const DEFAULT_NAME = 'default';

/** Vectors of the installation's embedding models, for programs that store vectors themselves. */
@Injectable()
export class EmbeddingsService {
  constructor(private readonly models: InstalledModels) {}

  /**
   * One vector for each text, in order; nothing is stored.
   * @throws `integrations.embedding_model_not_found`, `http.validation_failed` for another number of dimensions, `ai.provider_unavailable`;
   * the signal's reason after an abort
   */
  async create(ctx: RequestContext, request: CreateEmbeddingsRequest, signal: AbortSignal): Promise<EmbeddingList> {
    const { id: model, model: embedder } = this.requireModel(request);
    const { maxBatchSize } = embedder.descriptor;
    const texts = [request.input].flat();
    const caller = { tenantId: ctx.tenantId, datasetIds: [], purpose: 'embeddings' } as const;
    let tokens = 0;
    const data: EmbeddingList['data'] = [];
    for (let at = 0; at < texts.length; at += maxBatchSize) {
      const batch = texts.slice(at, at + maxBatchSize);
      const { vectors, usage } = await embedder.embed(batch, request.input_type ?? 'document', { signal, caller });
      tokens += usage.inputTokens;
      for (const vector of vectors) {
        const embedding = encode(vector, request.encoding_format ?? 'float');
        data.push({ object: 'embedding', index: data.length, embedding });
      }
    }
    return { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
  }

  private requireModel({ model, dimensions }: CreateEmbeddingsRequest): NamedModel<Embedder> {
    const { embedders } = this.models;
    const { all } = embedders;
    const name = model ?? DEFAULT_NAME;
    const found = name === DEFAULT_NAME ? all[0] : embedders.findNamed(name);
    if (found === undefined) {
      throw integrationErrors.embedding_model_not_found({
        model: name,
        available: [...all.map(({ id }) => id), DEFAULT_NAME],
      });
    }
    const { descriptor } = found.model;
    if (dimensions !== undefined && dimensions !== null && dimensions !== descriptor.dimensions) {
      const detail = `dimensions must be left out or ${descriptor.dimensions}: the model has no other number of dimensions`;
      throw validationFailed([{ pointer: '/dimensions', code: 'is_supported', detail }]);
    }
    return found;
  }
}

function encode(vector: Float32Array, format: EncodingFormat): number[] | string {
  if (format === 'float') return [...vector];
  const bytes = Buffer.alloc(vector.length * Float32Array.BYTES_PER_ELEMENT);
  vector.forEach((value, index) => bytes.writeFloatLE(value, index * Float32Array.BYTES_PER_ELEMENT));
  return bytes.toString('base64');
}
