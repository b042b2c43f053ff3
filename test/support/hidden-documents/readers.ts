import { mcpCall, type Reader, type Request } from './reader.js';
import { colourOf, generateCases, scan, type Planted } from './planted-world.js';

const ALL = ['kept', 'quarantined', 'deleted', 'superseded', 'foreign'] as const;
/** In whose name a list shows a document's own. */
const LISTED = ['deleted', 'foreign'] as const;

/** Of the shared dataset: two of each that is kept, superseded or in quarantine. */
const SHOWN_COUNTS = ['"completed":4,"failed":0,"quarantined":2', '"total":6'];

const get = (path: string): Request => ({ method: 'GET', path });
const post = (path: string, body: unknown): Request => ({ method: 'POST', path, body });
const ofEach =
  (ask: (one: Planted) => Request | readonly Request[]): Reader['requests'] =>
  (world) =>
    world.planted.flatMap((one) => ask(one));
const ofGraphs =
  (...paths: string[]): Reader['requests'] =>
  ({ graphs }) =>
    graphs.flatMap((graph) => paths.map((path) => get(`/kg/${graph}${path}`)));
const ofDatasets =
  (...paths: string[]): Reader['requests'] =>
  ({ datasets }) =>
    datasets.flatMap((dataset) => paths.map((path) => get(`/datasets/${dataset}${path}`)));
const ofDocuments = (part: string): Reader['requests'] =>
  ofEach(({ text, table }) => [get(`/documents/${text}${part}`), get(`/documents/${table}${part}`)]);
const asked = ({ station, dataset }: Planted): object => ({ query: colourOf(station), dataset_ids: [dataset] });
const message = (content: string): object => ({ messages: [{ role: 'user', content }] });

/**
 * Every route that reads, by its operation: what is asked of it, and whose words the answers hold while all documents are shown. `keeps`:
 * whose words they may hold afterwards, too, with the reason.
 */
export const READERS: Readonly<Record<string, Reader>> = {
  search: {
    requests: ofEach((one) => [
      post('/retrieval/search', { ...asked(one), top_k: 50, expand: 'neighbours' }),
      post('/retrieval/search', { ...asked(one), search_method: 'keyword', expand: 'parent' }),
      post('/retrieval/search', { ...asked(one), use_kg: true }),
    ]),
    shows: ALL,
  },
  explainSearch: {
    requests: ofEach((one) => [
      post('/retrieval/explain', { ...asked(one), expected: { document_id: one.text } }),
      post('/retrieval/explain', { ...asked(one), expected: { text: `pump of station ${one.station}` } }),
    ]),
    shows: LISTED,
  },
  describeSearch: {
    requests: ofEach((one) => [
      post('/retrieval/overview', { ...asked(one), top_k: 1 }),
      post('/retrieval/overview', { ...asked(one), filters: { type: 'eq', key: 'tags', value: 'nowhere' } }),
      post('/retrieval/overview', { ...asked(one), purpose: 'chat' }),
    ]),
    shows: ALL,
  },
  getRequest: { requests: ({ asked: ids }) => ids.map((id) => get(`/requests/${id}`)), shows: [] },
  replayRequest: { requests: ({ asked: ids }) => ids.map((id) => post(`/requests/${id}/replay`, {})), shows: [] },
  createChatCompletion: {
    requests: ofEach(({ station, dataset, text }) => [
      post('/chat/completions', { ...message(colourOf(station)), dataset_ids: [dataset] }),
      post('/chat/completions', { ...message(colourOf(station)), model: `dataset:${dataset}` }),
      post('/chat/completions', { ...message(colourOf(station)), dataset_ids: [dataset], stream: true }),
      post('/chat/completions', { ...message('Which documents are there?'), dataset_ids: [dataset] }),
      post('/chat/completions', { ...message(`Summarise the document ${text}.`), dataset_ids: [dataset] }),
      post('/chat/completions', {
        ...message(`What is the colour of the table row ${station}?`),
        dataset_ids: [dataset],
      }),
      post('/chat/completions', { ...message('How tall is the mayor?'), dataset_ids: [dataset] }),
    ]),
    shows: ALL,
  },
  getConversation: { requests: ({ conversation }) => [get(`/conversations/${conversation}`)], shows: ALL },
  listConversations: { requests: () => [get('/conversations?limit=100')], shows: [] },
  getSharedAnswer: { requests: ({ shares }) => shares.map((id) => get(`/shared-answers/${id}`)), shows: ALL },
  listSharedAnswers: { requests: () => [get('/shared-answers?limit=100')], shows: [] },
  listDatasetQuestions: { requests: ofDatasets('/questions?limit=100'), shows: [] },
  listModels: { requests: () => [get('/models')], shows: ['foreign'] },
  getModel: {
    requests: ({ datasets }) => datasets.map((dataset) => get(`/models/dataset:${dataset}`)),
    shows: ['foreign'],
  },
  listDatasets: { requests: () => [get('/datasets/?limit=100')], shows: ['foreign'] },
  getDataset: { requests: ofDatasets(''), shows: ['foreign'], counts: [...SHOWN_COUNTS, '"chunk_count":4'] },
  retrieveForDify: {
    requests: ofEach(({ dataset, station }) =>
      post('/integrations/dify/retrieval', {
        knowledge_id: dataset,
        query: colourOf(station),
        retrieval_setting: {
          top_k: 20,
          score_threshold: 0,
        },
      }),
    ),
    shows: ALL,
    needsKey: true,
  },
  handleMcpMessage: {
    requests: ofEach((one) => [
      mcpCall('search', asked(one)),
      mcpCall('answer', { question: colourOf(one.station), dataset_ids: [one.dataset] }),
      mcpCall('read_document', { document_id: one.text }),
      mcpCall('explain_miss', { ...asked(one), expected: { document_id: one.text } }),
      mcpCall('list_datasets', {}),
    ]),
    shows: ALL,
    needsKey: true,
  },
  getKnowledgeGraph: { requests: ofGraphs('/graph?limit=2000'), shows: ALL },
  listKnowledgeGraphEntities: { requests: ofGraphs('/entities?limit=100'), shows: ALL },
  getKnowledgeGraphEntity: {
    requests: ({ entities }) => entities.map(({ graph, id }) => get(`/kg/${graph}/entities/${id}`)),
    shows: ALL,
  },
  findKnowledgeGraphPath: {
    requests: ({ entities }) =>
      entities.flatMap(({ graph, id, next }) =>
        next === undefined ? [] : [get(`/kg/${graph}/paths?from=${id}&to=${next}`)],
      ),
    shows: ALL,
  },
  viewKnowledgeGraph: { requests: ofGraphs('/view'), shows: ALL },
  getKnowledgeGraphStatus: { requests: ofGraphs(''), shows: [], counts: ['"extracted":4,"not_extracted":0'] },
  triggerKnowledgeGraph: {
    requests: ({ datasets }) => datasets.map((dataset_id) => post('/kg/trigger', { dataset_id, dry_run: true })),
    shows: [],
    counts: ['"documents":4'],
  },
  listTables: { requests: ofDatasets('/tables?limit=100'), shows: LISTED },
  getTable: {
    requests: ({ tables }) =>
      tables.map(([dataset, table]) => ({ ...get(`/datasets/${dataset}/tables/${table}`), echo: table })),
    shows: ALL,
  },
  queryTablesBySql: {
    requests: ({ tables }) =>
      tables.map(([dataset, table]) => ({
        ...post(`/datasets/${dataset}/tables/query/sql`, { sql: `SELECT * FROM "${table}"` }),
        echo: table,
      })),
    shows: ALL,
  },
  queryTablesByQuestion: {
    requests: ofEach(({ dataset, station }) => [
      post(`/datasets/${dataset}/tables/query/natural-language`, { question: `colour of station ${station}` }),
      post(`/datasets/${dataset}/tables/query/natural-language`, { question: 'List all rows', dry_run: true }),
    ]),
    shows: ALL,
  },
  filterSemantically: {
    requests: ofEach(({ dataset, station }) =>
      ['documents', 'chunks', 'rows'].map((target) =>
        post(`/datasets/${dataset}/semantic-filter`, { predicate: `pump of station ${station}`, target, limit: 100 }),
      ),
    ),
    shows: ALL,
  },
  generateCaseSet: {
    requests: async ({ datasets, ben }) => {
      const made = await Promise.allSettled(datasets.map((dataset) => generateCases(ben.client, dataset)));
      return made.flatMap((one) => (one.status === 'fulfilled' ? [get(`/evaluations/case-sets/${one.value}`)] : []));
    },
    shows: ALL,
  },
  getCaseSet: {
    requests: ({ caseSets }) => caseSets.map((id) => get(`/evaluations/case-sets/${id}`)),
    shows: ALL,
    keeps: { superseded: 'a case keeps what it was made of, and is marked as outdated' },
  },
  listCaseSets: { requests: () => [get('/evaluations/case-sets?limit=100')], shows: [] },
  getEvaluation: { requests: ({ jobs }) => jobs.map((id) => get(`/evaluations/jobs/${id}`)), shows: [] },
  listEvaluations: { requests: () => [get('/evaluations/jobs?limit=100')], shows: [] },
  listEvaluationResults: {
    requests: ({ jobs }) => jobs.map((id) => get(`/evaluations/jobs/${id}/results?limit=100`)),
    shows: ALL,
    keeps: { superseded: 'an evaluation keeps the cases that it was run with' },
  },
  followEvaluation: { requests: ({ jobs }) => jobs.map((id) => get(`/evaluations/jobs/${id}/events`)), shows: [] },
  getEvaluationReport: {
    requests: ({ jobs }) =>
      jobs.flatMap((id) =>
        ['html', 'json', 'csv', 'junit'].map((format) => get(`/evaluations/jobs/${id}/report?format=${format}`)),
      ),
    shows: ALL,
    keeps: { superseded: 'an evaluation keeps the cases that it was run with' },
  },
  getDatasetProfile: { requests: ofDatasets('/profile'), shows: ALL },
  startProfileScan: {
    requests: async ({ datasets, ben }) => {
      const ended = await Promise.allSettled(datasets.map((dataset) => scan(ben.client, dataset, 'profile', {})));
      return ended.flatMap((one) =>
        one.status === 'fulfilled' ? [get(`/datasets/${one.value[0]}/profile/scans/${one.value[1]}`)] : [],
      );
    },
    shows: ALL,
  },
  getProfileScan: {
    requests: ({ profiles }) => profiles.map(([dataset, id]) => get(`/datasets/${dataset}/profile/scans/${id}`)),
    shows: ALL,
  },
  listProfileScans: { requests: ofDatasets('/profile/scans'), shows: [] },
  diffProfileScans: {
    requests: ({ profiles }) =>
      profiles.map(([dataset, id]) => get(`/datasets/${dataset}/profile/scans/${id}/diff?with=${id}`)),
    shows: [],
  },
  getDatasetPrecheck: { requests: ofDatasets('/precheck'), shows: LISTED },
  suggestIngestionPolicy: { requests: ofDatasets('/precheck/suggested-policy'), shows: [] },
  getPrecheckScan: {
    requests: ({ prechecks }) => prechecks.map(([dataset, id]) => get(`/datasets/${dataset}/precheck/scans/${id}`)),
    shows: LISTED,
  },
  followPrecheckScan: {
    requests: ({ prechecks }) =>
      prechecks.map(([dataset, id]) => get(`/datasets/${dataset}/precheck/scans/${id}/events`)),
    shows: [],
  },
  tryIngestionPolicy: {
    requests: ofEach(({ dataset, text }) =>
      post(`/datasets/${dataset}/ingestion-policy/dry-run`, { policy: {}, document_ids: [text] }),
    ),
    shows: ALL,
  },
  listDocuments: {
    requests: ({ datasets }) => [
      get('/documents/?limit=100'),
      ...datasets.map((dataset) => get(`/documents/?limit=100&dataset_id=${dataset}`)),
    ],
    shows: LISTED,
    counts: ['"total":6'],
  },
  getDocumentFacets: {
    requests: ({ datasets }) => datasets.map((id) => get(`/documents/facets?dataset_id=${id}`)),
    shows: LISTED,
    counts: ['"total":6', '"value":"true","count":4'],
  },
  getDocument: { requests: ofDocuments(''), shows: LISTED },
  getDocumentStatus: { requests: ofDocuments('/status'), shows: [] },
  getDocumentTimeline: { requests: ofDocuments('/timeline'), shows: [] },
  listDocumentRevisions: { requests: ofDocuments('/revisions'), shows: [] },
  listDocumentChunks: { requests: ofDocuments('/chunks'), shows: ALL },
  getDocumentText: { requests: ofDocuments('/text'), shows: ALL },
  getDocumentContent: { requests: ofDocuments('/content'), shows: ALL },
  getDocumentPageBoxes: { requests: ofDocuments('/pages/1/boxes'), shows: [] },
  getDatasetHealth: {
    requests: ofDatasets('/health'),
    shows: [],
    counts: [...SHOWN_COUNTS, '"chunk_count":4', '"failed_share":0'],
  },
  getIngestionStatistics: {
    requests: ofDatasets('/ingestion-statistics'),
    shows: [],
    counts: [...SHOWN_COUNTS, '"chunks":6', '"completed":8', '"stage":"total","count":8', '"failures":[]'],
  },
  listDatasetTags: { requests: ofDatasets('/tags'), shows: LISTED },
  readUsage: { requests: () => [get('/usage')], shows: [], counts: ['"bytes":1423'], as: 'anna' },
  listFindings: { requests: () => [get('/governance/findings?limit=100')], shows: [], as: 'anna' },
  listAuditLog: { requests: () => [get('/governance/audit-log?limit=100')], shows: [], as: 'anna' },
  listQuarantine: { requests: () => [get('/governance/quarantine?limit=100')], shows: [], as: 'anna' },
  listTenantDatasets: {
    requests: ({ anna }) => [get(`/tenants/${anna.tenantId}/datasets?limit=100`)],
    shows: [],
    counts: [...SHOWN_COUNTS, '"chunk_count":4', '"size_bytes":1104'],
    as: 'anna',
  },
};
