import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import type { KgEstimate } from '../graphs/kg.dto.js';
import { KgDocumentsRepository, type WantedDocuments } from '../graphs/kg-documents.repository.js';
import type { ExtractionMode } from '../graphs/kg-graph.entity.js';
import { kgErrors } from '../kg.errors.js';
import { GraphModel, type GraphReader } from '../model/graph-model.service.js';
import { ModelEstimates } from '../model/model-estimate.service.js';

const FREE = { cached_chunks: 0, calls: 0, input_tokens: 0, output_tokens: 0, most_tokens: 0, cost: 0, model: null };

/** Estimates work and cost of an extraction. */
@Injectable()
export class KgEstimates {
  constructor(
    private readonly documents: KgDocumentsRepository,
    private readonly models: GraphModel,
    private readonly modelEstimates: ModelEstimates,
  ) {}

  /** The model of a mode; null by rules. @throws `kg.mode_not_available` */
  readerOf(mode: ExtractionMode): GraphReader | null {
    if (mode === 'heuristic') return null;
    const reader = this.models.find();
    if (reader === undefined) throw kgErrors.mode_not_available({});
    return reader;
  }

  async of(ctx: RequestContext, wanted: WantedDocuments, reader: GraphReader | null): Promise<KgEstimate> {
    const { documents, open, chunks, tokens } = await this.documents.count(ctx, wanted);
    const work = { documents, documents_to_extract: open, chunks, tokens };
    if (reader === null) return { ...work, model_tokens: 0, ...FREE };
    const estimate = await this.modelEstimates.of(ctx, wanted, reader, chunks);
    return {
      ...work,
      model_tokens: estimate.inputTokens + estimate.outputTokens,
      cached_chunks: estimate.cachedChunks,
      calls: estimate.calls,
      input_tokens: estimate.inputTokens,
      output_tokens: estimate.outputTokens,
      most_tokens: estimate.mostTokens,
      cost: estimate.cost,
      model: reader.name,
    };
  }
}
