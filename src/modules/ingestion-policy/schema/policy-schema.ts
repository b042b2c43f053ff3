import { GRAPH_ENTITY_TYPES } from './graph-entity-types.js';
import { COLUMN_TYPES } from '#libs/tabular';
import { CHUNKING_STRATEGIES, MAX_CHUNK_TOKENS, MIN_CHUNK_TOKENS, WHOLE_MAX_TOKENS } from '#libs/text';
import { GOVERNANCE } from './governance-schema.js';
import { DEFAULT_POLICY } from './ingestion-policy.entity.js';
import { PARSING } from './parsing-schema.js';
import { section } from './policy-section.js';
import { RETRIEVAL_DEFAULTS_PROPERTIES } from './retrieval-defaults-schema.js';

const { chunking, enrichment, limits, tables } = DEFAULT_POLICY;

const MOST_CHARACTERS = 2 ** 29;

const STRATEGY_WORDS =
  'Where text is preferably divided. `recursive`: whole paragraphs, joined up to the chunk size. `markdown`: the same, but not across sections. ' +
  '`section`: each section is a chunk; small ones are joined only under the same parent. `sentence`: as many whole sentences as fit. `page`: no chunk across pages. `parent_child`: small chunks, each within a larger one. ' +
  '`table_rows`: whole rows of one table. `qa`: a question with its answer. `code`: divided between definitions. ' +
  `\`whole\`: the whole text as one chunk, up to ${WHOLE_MAX_TOKENS} tokens.`;

const CHUNKING = section('How text is divided into chunks.', {
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
    description: 'Maximum size of a chunk in tokens.',
  },
  chunk_overlap: {
    type: 'integer',
    minimum: 0,
    maximum: MAX_CHUNK_TOKENS / 2,
    default: chunking.chunk_overlap,
    description:
      'Maximum number of tokens repeated from the previous chunk where a block had to be cut; less than half of `chunk_size`. Left out with a small `chunk_size`: the largest possible value.',
  },
  separators: {
    type: 'array',
    maxItems: 32,
    items: { type: 'string', minLength: 1, maxLength: 64, description: 'Text after which the text is preferably cut.' },
    default: [...chunking.separators],
    description:
      'Texts after which the text is preferably cut, most preferred first; they stay in the text. Empty: the built-in borders.',
  },
  heading_context: {
    type: 'boolean',
    default: chunking.heading_context,
    description: 'Whether chunks include the headings above them.',
  },
  fit_model: {
    type: 'boolean',
    description:
      'Whether chunks are made smaller if the embedding model of the dataset does not read them completely with the headings above them; left out: false. A document whose longest chunk has more tokens than the model reads is divided again with a smaller size, at least 64 tokens, until no chunk has more. ' +
      'Tokens are counted by the tokenizer of a model that the service itself runs, otherwise estimated as for `chunk_size`. After a re-embedding to another model the health of the dataset advises a reingest.',
  },
});

const LIMITS = section('Limits of a document.', {
  max_text_characters: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: MOST_CHARACTERS,
    default: limits.max_text_characters,
    description:
      "Maximum length of a document's text in UTF-16 code units; a longer document fails with TEXT_TOO_LONG. null, or a value above the installation's limit: that limit.",
  },
});

const EMBEDDING = section(
  'The embedding model. A dataset without documents changes to it at once. A dataset with documents keeps its present model, for new documents too, until `POST /datasets/{id}/reembeddings` moves the dataset.',
  {
    model: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description:
        'Identifier of a model that `GET /models` lists with port `embedding`; left out: the embedding model of the installation.',
    },
  },
);

const RETRIEVAL_DEFAULTS = section(
  'Search options for requests that do not set them: searches, explanations, chats and the routes for other systems. They apply from the next request on and need no reingest. An option set by a request replaces the option of the policy as a whole. For a request over several datasets an option applies only if it is the same in all of them; otherwise it is ignored, with the warning `RETRIEVAL_DEFAULTS_DIFFER`.',
  RETRIEVAL_DEFAULTS_PROPERTIES,
);

const ENRICHMENT = section('What a model adds to chunks. A change takes effect for a document when it is reingested.', {
  context: {
    type: 'string',
    enum: ['off', 'llm'],
    default: enrichment.context,
    description:
      'Whether the chat model writes a line about the place of each chunk in its document. The line is searched, by words and vectors, and shown as ' +
      '`context`, never as part of the text. `llm` needs a chat model that generates text; a line that cannot be written causes a warning.',
  },
  max_tokens: {
    type: 'integer',
    minimum: 16,
    maximum: 4_096,
    default: enrichment.max_tokens,
    description:
      'Maximum number of tokens that the model may write for one chunk; reasoning models need more. With `context: llm` a policy ' +
      'with more tokens than the configured chat model writes is refused; if a model with a lower limit is configured later, its limit applies.',
  },
});

const TABLES = section(
  'Tables made from the tables in documents: `GET /datasets/{id}/tables`. A change takes effect for a document when it is reingested.',
  {
    enabled: { type: 'boolean', default: tables.enabled, description: 'Whether tables are made.' },
    header_rows: {
      anyOf: [
        { type: 'string', enum: ['auto'] },
        { type: 'integer', minimum: 0, maximum: 5 },
      ],
      default: tables.header_rows,
      description: 'Number of header rows of every table; 0: columns are numbered. `auto`: recognised in each table.',
    },
    types: {
      type: 'object',
      maxProperties: 200,
      propertyNames: { minLength: 1, maxLength: 200 },
      additionalProperties: { type: 'string', enum: [...COLUMN_TYPES] },
      default: tables.types,
      description:
        'Types of columns by header or name, without regard to case, for every table of the dataset. The types of other columns follow from their values. A value that cannot be read as its type becomes null, which the table reports.',
    },
  },
);

const KG = section('Whether entities and relations of documents are added to the knowledge graph of the dataset.', {
  mode: {
    type: 'string',
    enum: ['off', 'heuristic', 'llm'],
    description:
      'How they are extracted; left out: `off`. `heuristic`: during ingestion, by rules and without a model. `llm`: by the chat model of the installation, which ' +
      'must generate text; a failure of the model causes the warning `KG_EXTRACTION_FAILED` of the document, which is then missing in the graph until ' +
      '`POST /kg/trigger` adds it. Documents ingested before are added by `POST /kg/trigger` or a reingest. With `off` a document that is in the graph remains ' +
      'there after a reingest; if a model extracted it, only as far as its text was read before.',
  },
  entity_types: {
    type: 'array',
    maxItems: GRAPH_ENTITY_TYPES.length,
    items: { type: 'string', enum: [...GRAPH_ENTITY_TYPES], description: 'Kind of entity.' },
    description: 'Kinds of entities to keep; left out or empty: all.',
  },
});

/** The policy without the keywords of a stand-alone schema; part of the OpenAPI description. */
export const INGESTION_POLICY_COMPONENT = {
  type: 'object',
  description:
    'How documents of a dataset are ingested. Fields that are left out get their defaults; unknown fields are refused. Answers have all fields, except that `embedding` and `retrieval_defaults` have only those that were set.',
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
 * The JSON Schema (draft 2020-12) of a policy: the only place that lists its fields. Validation, defaults, `GET /schemas/ingestion-policy`
 * and the OpenAPI description are derived from it. Rules that a schema cannot express are in `policy-rules.ts`.
 */
export const INGESTION_POLICY_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:knowledge-base:ingestion-policy',
  title: 'IngestionPolicy',
  ...INGESTION_POLICY_COMPONENT,
} as const;
