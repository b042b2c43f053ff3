import { Injectable } from '@nestjs/common';
import { ChatService, type ChatCompletion } from '../../chat/index.js';
import { DatasetsService, ListDatasetsQuery, type Dataset } from '../../datasets/index.js';
import { DocumentTextService } from '../../documents/index.js';
import {
  DATASETS_MAX,
  ExplainRequestDto,
  ExplainService,
  QUERY_MAX,
  RecordedRetrieval,
  SearchRequestDto,
  toSearchResponse,
  TOP_K_MAX,
} from '../../retrieval/index.js';
import { AnswerArguments, READ_CHARS_DEFAULT, READ_CHARS_MAX, ReadDocumentArguments } from './tool-arguments.dto.js';
import { defineTool, type ArgumentsSchema, type McpTool } from './mcp-tool.js';

const DATASET_IDS = {
  type: 'array',
  items: { type: 'string', format: 'uuid' },
  minItems: 1,
  maxItems: DATASETS_MAX,
  description: 'Ids of the datasets, as list_datasets gives them.',
};
const QUERY = {
  type: 'string',
  minLength: 1,
  maxLength: QUERY_MAX,
  description: 'A question, words or an identifier.',
};
const SEARCH_OPTIONS = {
  top_k: {
    type: 'integer',
    minimum: 1,
    maximum: TOP_K_MAX,
    description: 'How many passages at most. Left out: what the datasets are set to, else 10.',
  },
  search_method: {
    type: 'string',
    enum: ['hybrid', 'keyword', 'vector'],
    description: 'Left out: what the datasets are set to, else hybrid.',
  },
  score_threshold: { type: 'number', minimum: 0, maximum: 1, description: 'Least score of a passage.' },
  filters: {
    type: 'object',
    description:
      'Condition on documents: {"type": "eq", "key": "metadata.department", "value": "legal"}; types eq, ne, gt, gte, lt, lte, in, nin, contains, starts_with, ends_with, exists, joined by {"type": "and" | "or" | "not", "filters": [...]}; keys metadata.<name>, tags, media_type, language, document_id, document_name, path (place in a folder: starts_with "guides/"), created_at.',
  },
};

/** The tools for models. Each corresponds to a route: it calls the same service with the same permissions. */
@Injectable()
export class McpTools {
  readonly all: readonly McpTool[];

  constructor(
    private readonly datasets: DatasetsService,
    private readonly retrieval: RecordedRetrieval,
    private readonly chat: ChatService,
    private readonly explanations: ExplainService,
    private readonly texts: DocumentTextService,
  ) {
    this.all = [this.listDatasets(), this.search(), this.answer(), this.explainMiss(), this.readDocument()];
  }

  private listDatasets(): McpTool {
    return defineTool({
      name: 'list_datasets',
      title: 'List datasets',
      description:
        'Lists the datasets (knowledge bases) that you may read, with their ids. Call this first: the other tools need dataset ids.',
      permission: 'datasets:read',
      emptyWithoutPermission: true,
      rateLimit: 'default',
      inputSchema: objectOf({
        q: { type: 'string', maxLength: 256, description: 'Only datasets whose name contains this.' },
        skip: { type: 'integer', minimum: 0, default: 0 },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      }),
      argumentsType: ListDatasetsQuery,
      run: async (ctx, query) => {
        const page = await this.datasets.list(ctx, query);
        return { ...page, items: page.items.map(toShortDataset) };
      },
    });
  }

  private search(): McpTool {
    return defineTool({
      name: 'search',
      title: 'Search',
      description:
        'Finds the passages of documents that fit a question, best first, each with its document (path and document_created_at tell documents of one name apart), place and score.',
      permission: 'retrieval:search',
      rateLimit: 'search',
      inputSchema: objectOf({ query: QUERY, dataset_ids: DATASET_IDS, ...SEARCH_OPTIONS }, ['query', 'dataset_ids']),
      argumentsType: SearchRequestDto,
      run: async (ctx, request, signal) => {
        const outcome = await this.retrieval.retrieve(ctx, request, { kind: 'search', signal });
        return toSearchResponse(ctx.requestId, outcome, request.include);
      },
    });
  }

  private answer(): McpTool {
    return defineTool({
      name: 'answer',
      title: 'Answer from documents',
      description:
        'Answers a question from documents, with citations that were checked against the text, or says that the documents do not hold the answer, what is missing, and which passages (sources) come nearest.',
      permission: 'chat:complete',
      rateLimit: 'chat',
      inputSchema: objectOf(
        {
          question: {
            type: 'string',
            minLength: 1,
            maxLength: QUERY_MAX,
            description: 'A question that is understandable on its own.',
          },
          dataset_ids: DATASET_IDS,
          grounding: { type: 'string', enum: ['off', 'annotate', 'strict'], default: 'annotate' },
        },
        ['question', 'dataset_ids'],
      ),
      argumentsType: AnswerArguments,
      run: async (ctx, { question, dataset_ids, grounding }, signal) => {
        const messages = [{ role: 'user' as const, content: question }];
        const request = { messages, dataset_ids, ...(grounding === undefined ? {} : { grounding }) };
        return toAnswer(await this.chat.complete(ctx, request, signal));
      },
    });
  }

  private explainMiss(): McpTool {
    return defineTool({
      name: 'explain_miss',
      title: 'Explain a miss',
      description:
        'Says why a search did not return an expected document, chunk or text (not indexed, filters too strict, model policy), and which change of the request returns it.',
      permission: 'retrieval:search',
      rateLimit: 'search',
      cost: 3,
      inputSchema: objectOf(
        {
          query: QUERY,
          dataset_ids: DATASET_IDS,
          expected: {
            type: 'object',
            description: 'What should have been found: one of document_id, chunk_id, text.',
            properties: { document_id: { type: 'string' }, chunk_id: { type: 'string' }, text: { type: 'string' } },
            additionalProperties: false,
          },
          ...SEARCH_OPTIONS,
        },
        ['query', 'dataset_ids', 'expected'],
      ),
      argumentsType: ExplainRequestDto,
      run: (ctx, request, signal) => this.explanations.explain(ctx, request, signal),
    });
  }

  private readDocument(): McpTool {
    return defineTool({
      name: 'read_document',
      title: 'Read a document',
      description:
        'Reads a stretch of the text of a document. Offsets are UTF-16 code units, as the positions that search gives; next_start says where to read on.',
      permission: 'documents:read',
      rateLimit: 'default',
      inputSchema: objectOf(
        {
          document_id: { type: 'string', description: 'Id of the document, as search gives it.' },
          start: { type: 'integer', minimum: 0, default: 0 },
          length: { type: 'integer', minimum: 1, maximum: READ_CHARS_MAX, default: READ_CHARS_DEFAULT },
        },
        ['document_id'],
      ),
      argumentsType: ReadDocumentArguments,
      run: async (ctx, { document_id, start = 0, length = READ_CHARS_DEFAULT }) => {
        const { name, text, end, totalChars } = await this.texts.slice(ctx, document_id, start, start + length);
        const next_start = end < totalChars ? end : null;
        return { document_id, document_name: name, start, end, total_chars: totalChars, next_start, text };
      },
    });
  }
}

function objectOf(properties: ArgumentsSchema['properties'], required: readonly string[] = []): ArgumentsSchema {
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false };
}

function toShortDataset({ id, name, description, document_counts, chunk_count, updated_at }: Dataset): object {
  return { id, name, description, documents: document_counts.total, chunks: chunk_count, updated_at };
}

/** An answer without the texts of its sources, because each citation quotes them; an answer without citations keeps them. */
function toAnswer({ choices, citations, grounding, refusal, request_id, sources }: ChatCompletion): object {
  const answer = { answer: choices[0]?.message.content ?? '', citations, grounding, refusal, request_id };
  return citations.length > 0 ? answer : { ...answer, sources };
}
