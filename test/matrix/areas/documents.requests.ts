import { until } from '#testing/until';
import { makePdf } from '../../../libs/parsing/src/testing/make-pdf.js';
import { uploadForm } from '../../support/api-client.js';
import { freshDataset, freshDocument, QUESTION, type Recipes } from '../request-recipe.js';
import type { Target, World } from '../world.js';

const PATIENCE = { withinMs: 60_000, everyMs: 50 };

/** Long enough to be still in work when the next request comes. */
async function freshLongDocument(world: World): Promise<Partial<Target>> {
  const lines = Array.from({ length: 5_000 }, (_, n) => `Line ${n} of a long report about ${world.unique('nothing')}.`);
  const file = { name: 'long.txt', content: lines.join('\n\n') };
  return { document: (await world.owner.client.upload(world.target.dataset, file)).id };
}

async function freshFailedDocument(world: World): Promise<Partial<Target>> {
  const { client } = world.owner;
  const file = { name: `${world.unique('empty')}.txt`, content: '' };
  const { id: document } = await client.upload(world.target.dataset, file, { on_duplicate: 'keep_both' });
  await client.pollUntilTerminal(document);
  return { document };
}

/** The same one each time: nothing uses it up. */
async function pdfDocument(world: World): Promise<Partial<Target>> {
  const { client } = world.owner;
  const file = { name: 'page.pdf', content: makePdf([{ lines: ['The vault of the matrix is green'] }]) };
  const { id: document } = await client.upload(world.target.dataset, file, { on_duplicate: 'skip' });
  await client.pollUntilTerminal(document);
  return { document };
}

async function freshQuarantinedDocument(world: World): Promise<Partial<Target>> {
  const made = await freshDocument(world);
  await world.owner.client.post('/governance/quarantine', {
    document_ids: [made.document],
    reason: 'Made by the matrix',
  });
  return made;
}

/** A dataset whose rescan has come to its end. */
async function freshRescan(world: World): Promise<Partial<Target>> {
  const { dataset } = await freshDataset(world);
  const { client } = world.owner;
  const { id: own } = await client.post<{ id: string }>('/governance/rescans', { dataset_id: dataset });
  const isDone = async (): Promise<boolean> =>
    (await client.get<{ status: string }>(`/governance/rescans/${own}`)).status === 'completed';
  await until(isDone, { what: 'the rescan of the matrix', ...PATIENCE });
  return { dataset: dataset!, own };
}

/** A dataset with a cancelled rescan: cancelling it again changes nothing. One that was faster is started again. */
async function freshCancelledRescan(world: World): Promise<Partial<Target>> {
  const { dataset } = await freshDataset(world);
  const { client } = world.owner;
  let own = '';
  const isCancelled = async (): Promise<boolean> => {
    own = (await client.post<{ id: string }>('/governance/rescans', { dataset_id: dataset })).id;
    return (await client.send('POST', `/governance/rescans/${own}/cancel`)).status === 200;
  };
  await until(isCancelled, { what: 'a cancelled rescan', ...PATIENCE });
  return { dataset: dataset!, own };
}

const OF_RESCAN = { subject: 'dataset', ownParameter: 'rescan_id', fresh: freshRescan } as const;

/** Documents, and what is made of them: searches, answers, requests, quarantine. */
export const DOCUMENTS: Recipes = {
  'POST /documents/upload': {
    subject: 'dataset',
    parts: ({ dataset }, world) => ({
      body: uploadForm({ name: 'upload.txt', content: world.unique('An upload') }, { dataset_id: dataset }),
    }),
  },
  'GET /documents/': { subject: 'list', parts: ({ dataset }) => ({ query: `?dataset_id=${dataset}` }) },
  'GET /documents/{document_id}': { subject: 'dataset' },
  'DELETE /documents/{document_id}': { subject: 'dataset', fresh: freshDocument },
  'POST /documents/{document_id}/cancel': { subject: 'dataset', fresh: freshLongDocument },
  'POST /documents/{document_id}/retry': { subject: 'dataset', fresh: freshFailedDocument },
  'POST /documents/batch/reingest': {
    subject: 'dataset',
    fresh: freshDataset,
    parts: ({ dataset }) => ({ body: { dataset_id: dataset, where: { policy_version_lt: 2 } } }),
  },
  'POST /documents/batch/retry': {
    subject: 'dataset',
    fresh: freshDataset,
    parts: ({ dataset }) => ({ body: { dataset_id: dataset } }),
  },
  'PATCH /documents/{document_id}': {
    subject: 'dataset',
    fresh: freshDocument,
    parts: (_target, world) => ({ body: { name: world.unique('renamed'), metadata: { seen: true }, tags: ['seen'] } }),
  },
  'POST /documents/batch/update': {
    subject: 'bulk',
    fresh: freshDocument,
    parts: ({ document }) => ({ body: { document_ids: [document], patch: { add_tags: ['seen by the matrix'] } } }),
  },
  'POST /documents/batch/upload': {
    subject: 'dataset',
    parts: ({ dataset }, world) => {
      const form = new FormData();
      form.append('dataset_id', dataset);
      for (const name of ['one.txt', 'two.txt']) form.append('files', new Blob([world.unique(name)]), name);
      return { body: form };
    },
  },
  'POST /documents/batch/cancel': {
    subject: 'bulk',
    fresh: freshLongDocument,
    parts: ({ document }) => ({ body: { document_ids: [document] } }),
  },
  'POST /documents/batch/delete': {
    subject: 'bulk',
    fresh: freshDocument,
    parts: ({ document }) => ({ body: { document_ids: [document] } }),
  },
  'GET /documents/facets': { subject: 'count', parts: ({ dataset }) => ({ query: `?dataset_id=${dataset}` }) },
  // As a list: the stream has no end.
  'GET /datasets/{id}/documents/events': {
    subject: 'dataset',
    parts: () => ({ headers: { Accept: 'application/json' } }),
  },
  'GET /documents/{document_id}/status': { subject: 'dataset' },
  'GET /documents/{document_id}/timeline': { subject: 'dataset' },
  'GET /documents/{document_id}/revisions': { subject: 'dataset' },
  'GET /documents/{document_id}/chunks': { subject: 'dataset' },
  'GET /documents/{document_id}/text': { subject: 'dataset' },
  'GET /documents/{document_id}/content': { subject: 'dataset' },
  'GET /documents/{document_id}/pages/{page}/boxes': {
    subject: 'dataset',
    fresh: pdfDocument,
    parts: () => ({ query: '?start=0&end=5' }),
  },
  'POST /governance/quarantine': {
    subject: 'bulk',
    fresh: freshDocument,
    parts: ({ document }) => ({ body: { document_ids: [document], reason: 'Made by the matrix' } }),
  },
  'GET /governance/findings': { subject: 'dataset', parts: ({ dataset }) => ({ query: `?dataset_id=${dataset}` }) },
  'GET /governance/quarantine': { subject: 'dataset', parts: ({ dataset }) => ({ query: `?dataset_id=${dataset}` }) },
  'POST /governance/quarantine/release': {
    subject: 'bulk',
    fresh: freshQuarantinedDocument,
    parts: ({ document }) => ({ body: { document_ids: [document] } }),
  },
  'POST /governance/rescans': {
    subject: 'dataset',
    fresh: freshDataset,
    parts: ({ dataset }) => ({ body: { dataset_id: dataset } }),
  },
  'GET /governance/rescans/{rescan_id}': OF_RESCAN,
  'POST /governance/rescans/{rescan_id}/cancel': { ...OF_RESCAN, fresh: freshCancelledRescan },
  'GET /governance/audit-log': { subject: 'list', parts: ({ dataset }) => ({ query: `?subject_id=${dataset}` }) },
  'GET /governance/audit-log/verify': { subject: 'self' },
  'POST /retrieval/search': {
    subject: 'dataset',
    parts: ({ dataset }) => ({ body: { query: QUESTION, dataset_ids: [dataset] } }),
  },
  'POST /retrieval/explain': {
    subject: 'dataset',
    parts: ({ dataset, document }) => ({
      body: { query: QUESTION, dataset_ids: [dataset], expected: { document_id: document } },
    }),
  },
  'POST /retrieval/overview': {
    subject: 'dataset',
    parts: ({ dataset }) => ({ body: { query: QUESTION, dataset_ids: [dataset] } }),
  },
  'GET /requests/{request_id}': { subject: 'own' },
  'POST /requests/{request_id}/replay': { subject: 'own' },
  'POST /chat/completions': {
    subject: 'dataset',
    parts: ({ dataset }) => ({ body: { messages: [{ role: 'user', content: QUESTION }], dataset_ids: [dataset] } }),
  },
  'GET /chat/stream-test': { subject: 'service' },
  'POST /embeddings': { subject: 'create', parts: () => ({ body: { input: [QUESTION] } }) },
  'POST /integrations/dify/retrieval': {
    subject: 'dataset',
    parts: ({ dataset }) => ({
      body: { knowledge_id: dataset, query: QUESTION, retrieval_setting: { top_k: 3, score_threshold: 0 } },
    }),
  },
  'POST /mcp': { subject: 'self', parts: () => ({ body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }) },
  'GET /models': { subject: 'service' },
  'GET /models/{id}': { subject: 'dataset' },
};
