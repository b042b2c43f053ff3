import { Injectable } from '@nestjs/common';
import { catalogueErrorOf, isUuid } from '#libs/common';
import { validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { datasetErrors } from '../../datasets/index.js';
import { RecordedRetrieval, type RetrievedChunk } from '../../retrieval/index.js';
import { conditionAt, placeInConditions, toSearchFilter, type MetadataCondition } from './dify-filter.js';
import type { DifyRecord, DifyRetrievalRequest, DifyRetrievalResponse } from './dify.dto.js';

/** Datasets as external knowledge of Dify. */
@Injectable()
export class DifyService {
  constructor(private readonly retrieval: RecordedRetrieval) {}

  /** @throws `datasets.not_found` and what a search throws */
  async retrieve(
    ctx: RequestContext,
    request: DifyRetrievalRequest,
    signal: AbortSignal,
  ): Promise<DifyRetrievalResponse> {
    const { knowledge_id, query, retrieval_setting, metadata_condition } = request;
    if (!isUuid(knowledge_id)) throw datasetErrors.not_found({ id: knowledge_id });
    const { top_k, score_threshold } = retrieval_setting;
    const filters = metadata_condition ? toSearchFilter(metadata_condition) : undefined;
    const search = {
      query,
      dataset_ids: [knowledge_id],
      top_k,
      ...(score_threshold ? { score_threshold } : {}),
      ...(filters === undefined ? {} : { filters }),
      include: ['text' as const, 'metadata' as const],
    };
    try {
      const { results } = await this.retrieval.retrieve(ctx, search, { kind: 'search', signal });
      return { records: results.map(toRecord) };
    } catch (error) {
      throw inPlace(error, metadata_condition?.conditions ?? []);
    }
  }
}

/** The error of a search, with pointers into Dify's request and with the operator, because that is what users of Dify see. */
function inPlace(thrown: unknown, conditions: MetadataCondition['conditions']): unknown {
  const { code, errors } = catalogueErrorOf(thrown) ?? {};
  if (code !== 'http.validation_failed' || errors === undefined) return thrown;
  return validationFailed(
    errors.map((problem) => {
      const at = conditionAt(problem.pointer, conditions);
      const operator = at === undefined ? undefined : conditions[at]?.comparison_operator;
      const detail = operator === undefined ? problem.detail : `"${operator}": ${problem.detail}`;
      return { ...problem, pointer: placeInConditions(problem.pointer, at), detail };
    }),
  );
}

function toRecord(chunk: RetrievedChunk): DifyRecord {
  const { documentName, documentPath, headingPath, page } = chunk;
  const path = [documentPath ?? documentName, ...(page === null ? [] : [`p. ${page}`]), ...headingPath].join(' › ');
  return {
    content: chunk.text,
    score: chunk.score,
    title: documentName,
    metadata: {
      ...chunk.metadata,
      path,
      description: headingPath.at(-1) ?? documentName,
      document_id: chunk.documentId,
      chunk_id: chunk.chunkId,
    },
  };
}
