import { integer, type Setting } from './setting.js';

const INGESTION = 'Ingestion';
const MIB = 1024 * 1024;

/** Settings of the background work. */
export const INGESTION_SETTINGS = {
  workerConcurrency: integer(
    'WORKER_CONCURRENCY',
    4,
    { min: 1, max: 64 },
    {
      section: INGESTION,
      description: 'Maximum number of documents that one worker process ingests at once.',
    },
  ),
  leaseSeconds: integer(
    'INGESTION_LEASE_SECONDS',
    20,
    { min: 1, max: 600 },
    {
      section: INGESTION,
      description: 'Seconds without a heartbeat after which a document is taken over from a dead worker.',
    },
  ),
  tenantConcurrency: integer(
    'INGESTION_TENANT_CONCURRENCY',
    0,
    { min: 0, max: 64 },
    {
      section: INGESTION,
      description:
        "Maximum number of documents of one tenant that one worker process ingests at once. 0: one less than WORKER_CONCURRENCY, so that another tenant's first document need not wait; with WORKER_CONCURRENCY=2 one only while another tenant has documents, or had some begun in the last five minutes.",
    },
  ),
  embeddingConcurrency: integer(
    'INGESTION_EMBEDDING_CONCURRENCY',
    4,
    { min: 1, max: 64 },
    {
      section: INGESTION,
      description: 'Maximum number of calls of the embedding model at once, of one worker process.',
    },
  ),
  providerPatienceHours: integer(
    'INGESTION_PROVIDER_PATIENCE_HOURS',
    24,
    { min: 1, max: 8_760, orZero: true },
    {
      section: INGESTION,
      description:
        'Hours for which a document waits for a model that is busy or does not answer, counted from the first failure after the last computed vector; then it fails and can be retried. 0: it does not wait.',
    },
  ),
  maxBeginnings: integer(
    'INGESTION_MAX_BEGINNINGS',
    10,
    { min: 6, max: 1000 },
    {
      section: INGESTION,
      description:
        'Number of times that a document is started when its worker dies each time; then it fails with WORKER_LOST.',
    },
  ),
  maxTextCharacters: integer(
    'INGESTION_MAX_TEXT_CHARACTERS',
    64 * MIB,
    { min: 1024, max: 512 * MIB },
    {
      section: INGESTION,
      description:
        'Maximum length of the text of one document, in UTF-16 code units; a document with a longer text fails with TEXT_TOO_LONG.',
    },
  ),
  parserProcesses: integer(
    'PARSER_PROCESSES',
    2,
    { min: 1, max: 32 },
    {
      section: INGESTION,
      description: 'Maximum number of parser child processes of one worker.',
    },
  ),
  parserMemoryBytes: integer(
    'PARSER_MEMORY_BYTES',
    1024 * MIB,
    { min: 128 * MIB, max: 16384 * MIB },
    {
      section: INGESTION,
      description: 'Memory limit of one parser child process in bytes.',
    },
  ),

  tablesMemoryMebibytes: integer(
    'TABLES_MEMORY_MB',
    512,
    { min: 64, max: 65_536 },
    {
      section: INGESTION,
      description:
        'Memory of all processes that hold tables for statements together, in MiB; the least recently used end first. One process may use half of it.',
    },
  ),
  reconcileMinutes: integer(
    'RECONCILE_MINUTES',
    60,
    { min: 0, max: 10_080 },
    {
      section: INGESTION,
      description:
        'Interval of the reconciliation in minutes, which repairs rows, vectors and files that do not match. 0: only by "npm run reconcile".',
    },
  ),
} as const satisfies Record<string, Setting<unknown>>;
