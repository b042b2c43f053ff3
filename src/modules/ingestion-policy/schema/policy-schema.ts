import { COLUMN_TYPES } from '#libs/tabular';
import { GRAPH_ENTITY_TYPES } from '#libs/graph-extraction';
import { CHUNKING_STRATEGIES, MAX_CHUNK_TOKENS, MIN_CHUNK_TOKENS, WHOLE_MAX_TOKENS } from '#libs/text';
import { GOVERNANCE } from './governance-schema.js';
import { DEFAULT_POLICY } from './ingestion-policy.entity.js';
import { PARSING } from './parsing-schema.js';
import { section } from './policy-section.js';
import { RETRIEVAL_DEFAULTS_PROPERTIES } from './retrieval-defaults-schema.js';

const { chunking, enrichment, limits, tables } = DEFAULT_POLICY;

const MOST_CHARACTERS = 2 ** 29;

const STRATEGY_WORDS =
  'Where cuts are preferred. `recursive`: paragraphs whole and joined up to the size. `markdown`: besides, not across sections. ' +
  '`section`: every section a chunk, small ones joined only under the same parent. `sentence`: as many whole sentences as fit. `page`: none across pages. `parent_child`: small chunks, each within a larger one. ' +
  '`table_rows`: whole rows of one table. `qa`: a question with its answer. `code`: between definitions. ' +
  `\`whole\`: one chunk, up to ${WHOLE_MAX_TOKENS} tokens.`;

const CHUNKING = section('How text is cut into chunks.', {
  strategy: {
    type: 'string',
    enum: [...CHUNKING_STRATEGIES],
    default: chunking.strategy,
    description: STRATEGY_WORDS,
  },
  chunk_size: {
    type: 'integer',
    minimum: MIN_CHUNK_TOKENS,
    maximum: MAX_CHUNK_TOKENS,
    default: chunking.chunk_size,
    description: 'Most tokens of a chunk.',
  },
  chunk_overlap: {
    type: 'integer',
    minimum: 0,
    maximum: MAX_CHUNK_TOKENS / 2,
    default: chunking.chunk_overlap,
    description:
      'Most tokens repeated from the chunk before, where a block had to be cut; less than half of `chunk_size`. Left out beside a small `chunk_size`, it is the most that is possible.',
  },
  separators: {
    type: 'array',
    maxItems: 32,
    items: { type: 'string', minLength: 1, maxLength: 64, description: 'Text after which a cut is preferred.' },
    default: [...chunking.separators],
    description: 'Preferred cut marks, best first; they stay in the text. Empty: the built-in borders.',
  },
  heading_context: {
    type: 'boolean',
    default: chunking.heading_context,
    description: 'Whether chunks carry the headings above them.',
  },
  fit_model: {
    type: 'boolean',
    description:
      'Left out: false. Whether chunks are cut smaller where the embedding model of the dataset would not read them whole, with the headings above them: a document whose longest chunk has more tokens for the model than it reads is cut anew by a smaller size until none has, 64 tokens at the least. ' +
      'Counted by the tokenizer of a model that is computed here, else by the estimate of `chunk_size`. After a re-embedding to another model health asks for a reingest.',
  },
});

const LIMITS = section('How much of a document is taken.', {
  max_text_characters: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: MOST_CHARACTERS,
    default: limits.max_text_characters,
    description:
      "Longest text of one document in UTF-16 code units; a longer one fails with TEXT_TOO_LONG. Null, or more than it: the installation's limit.",
  },
});

const EMBEDDING = section(
  'Which model makes the vectors. A dataset without documents takes it at once; otherwise nothing that is ingested changes, and new documents get vectors of the model that the dataset has, until `POST /datasets/{id}/reembeddings` moves all of it.',
  {
    model: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description:
        "Id of a model that `GET /models` shows with port `embedding`. Left out: the installation's own embedding model.",
    },
  },
);

const RETRIEVAL_DEFAULTS = section(
  'Search options for requests that are silent about them: searches, explanations, chats and the routes for other systems. They are read when a request comes; nothing that is ingested changes. An option of a request replaces that of the policy, whole. Over several datasets each option must be the same in all of them; otherwise it is as if none had it, with the warning `RETRIEVAL_DEFAULTS_DIFFER`.',
  RETRIEVAL_DEFAULTS_PROPERTIES,
);

const ENRICHMENT = section('What a model adds to chunks. A change reaches a document when it is reingested.', {
  context: {
    type: 'string',
    enum: ['off', 'llm'],
    default: enrichment.context,
    description:
      'Whether the chat model writes a line about where each chunk stands in its document. It is searched, by words and vectors, and shown as ' +
      '`context`, never as part of the text. `llm` needs a chat model that writes text of its own; a line that cannot be had is a warning.',
  },
  max_tokens: {
    type: 'integer',
    minimum: 16,
    maximum: 4_096,
    default: enrichment.max_tokens,
    description:
      'The most tokens that the model may write for one chunk; models that think before they write need more. With `context: llm` a policy ' +
      'that asks for more than the configured chat model writes is refused; where a model with a lower limit comes later, its limit holds.',
  },
});

const TABLES = section(
  'Tables that are made of what documents hold as tables: `GET /datasets/{id}/tables`. A change reaches a document when it is reingested.',
  {
    enabled: { type: 'boolean', default: tables.enabled, description: 'Whether tables are made.' },
    header_rows: {
      anyOf: [
        { type: 'string', enum: ['auto'] },
        { type: 'integer', minimum: 0, maximum: 5 },
      ],
      default: tables.header_rows,
      description: 'Rows above the values of every table; 0: columns are numbered. `auto`: found in each table.',
    },
    types: {
      type: 'object',
      maxProperties: 200,
      propertyNames: { minLength: 1, maxLength: 200 },
      additionalProperties: { type: 'string', enum: [...COLUMN_TYPES] },
      default: tables.types,
      description:
        'Types of columns by their header or name, in letters of either case, in every table of the dataset. The others are decided by their values; a value that cannot be read as its type is null, which the table tells.',
    },
  },
);

const KG = section('Whether what documents say of entities becomes part of the knowledge graph of the dataset.', {
  mode: {
    type: 'string',
    enum: ['off', 'heuristic', 'llm'],
    description:
      'Left out: `off`. `heuristic`: extracted while a document is ingested, by rules and without a model. `llm`: by the chat model of the installation, which ' +
      'must be one that writes text of its own; a failure of the model is a warning of the document (`KG_EXTRACTION_FAILED`), which then has no part until ' +
      '`POST /kg/trigger` goes on. Documents that are there already get their part by `POST /kg/trigger` or a reingest. With `off`, a document that has a part keeps ' +
      'it through reingests: one of a model as far as its text was read before.',
  },
  entity_types: {
    type: 'array',
    maxItems: GRAPH_ENTITY_TYPES.length,
    items: { type: 'string', enum: [...GRAPH_ENTITY_TYPES], description: 'A kind of entity.' },
    description: 'Kinds of entities that are kept. Left out or empty: all.',
  },
});

/** The policy without the words that only a schema on its own carries; part of the OpenAPI description. */
export const INGESTION_POLICY_COMPONENT = {
  type: 'object',
  description:
    'How documents of a dataset are ingested. What is left out gets its default; unknown fields are refused. In answers every field is there, and of `embedding` and `retrieval_defaults` what was set.',
  additionalProperties: false,
  properties: {
    parsing: PARSING,
    chunking: CHUNKING,
    enrichment: ENRICHMENT,
    embedding: EMBEDDING,
    tables: TABLES,
    governance: GOVERNANCE,
    kg: KG,
    retrieval_defaults: RETRIEVAL_DEFAULTS,
    limits: LIMITS,
  },
} as const;

/**
 * The JSON Schema (draft 2020-12) of a policy: the only place that says which fields there are. Validation, defaults,
 * `GET /schemas/ingestion-policy` and the OpenAPI description are all made of it. Two rules stand beside it because no schema can
 * say them: `policy-rules.ts`.
 */
export const INGESTION_POLICY_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:knowledge-base:ingestion-policy',
  title: 'IngestionPolicy',
  ...INGESTION_POLICY_COMPONENT,
} as const;
