/** Fills a service of any version, and says afterwards what of it is still there. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiClient } from '../../scripts/lib/api-client.ts';

const DOCUMENTS = fileURLToPath(new URL('../fixtures/documents/', import.meta.url));
const MEMBER = { email: 'member@example.com', password: 'seven-lamps-over-harbour-41' };
const QUESTIONS = [
  'How often is the pump serviced?',
  'Who may approve an exception?',
  'What does the handbook say about travel?',
  'frequently asked questions about accounts',
  'annual report figures',
  'policy for remote work',
  'お知らせ',
  '通知',
  'ประกาศ',
  'guide to installation',
];
/** What a document keeps, whichever version shows it. */
const KEPT = [
  'id',
  'name',
  'status',
  'sha256',
  'size_bytes',
  'media_type',
  'chunk_count',
  'metadata',
  'tags',
  'revision',
];

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const pick = (record, names) =>
  Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]));

/** Everything that a reader can see of a document. */
async function readDocument(client, id) {
  const record = await client.get(`/documents/${id}`);
  const shown = pick(record, KEPT);
  if (record.status !== 'completed') return { shown };
  const chunks = await client.get(`/documents/${id}/chunks?limit=100`);
  return {
    shown,
    text: sha256(await client.text(id)),
    chunks: chunks.items.map(({ id: chunkId, text, position }) => [
      chunkId,
      text,
      position.char_start,
      position.char_end,
    ]),
  };
}

async function readAll(client, ids) {
  const found = {};
  for (const id of ids) found[id] = await readDocument(client, id);
  return found;
}

/** The ids that a search finds first for each question. */
async function searchAll(client, datasets) {
  const found = [];
  for (const question of QUESTIONS) {
    const { results } = await client.search(question, datasets, { top_k: 10 });
    found.push(results.map(({ chunk_id: chunk }) => chunk));
  }
  return found;
}

async function uploadFixtures(client, dataset) {
  const ids = [];
  for (const name of (await readdir(DOCUMENTS)).sort()) {
    const content = await readFile(join(DOCUMENTS, name));
    const { id } = await client.upload(
      dataset,
      { name, content },
      { metadata: JSON.stringify({ shelf: name.length }), tags: 'fixture' },
    );
    ids.push(id);
  }
  for (const id of ids) await client.pollUntilTerminal(id);
  return ids;
}

/**
 * Two conversations with a question and one behind it, whose document is another; the document of the second one's first answer is deleted.
 * Undefined where the version keeps none.
 */
async function converse(client, dataset) {
  if ((await client.send('GET', '/conversations')).status === 404) return undefined;
  const documents = {};
  for (const [thing, content] of Object.entries({
    lamp: 'The lamp of the pier burns whale oil.',
    bell: 'The bell of the pier weighs nine hundredweight.',
    gate: 'The gate of the pier closes at dusk.',
  })) {
    const { id } = await client.upload(dataset, { name: `${thing}.txt`, content });
    await client.pollUntilTerminal(id);
    documents[thing] = id;
  }
  const ask = async (conversation, content) => {
    const messages = [{ role: 'user', content }];
    const retrieval = { top_k: 1 };
    await client.post('/chat/completions', {
      messages,
      dataset_ids: [dataset],
      conversation_id: conversation,
      retrieval,
    });
  };
  const begin = async (first) => {
    const { id } = await client.post('/conversations', {});
    await ask(id, first);
    await ask(id, 'When does the gate of the pier close?');
    return id;
  };
  const whole = await begin('What does the lamp of the pier burn?');
  const broken = await begin('What does the bell of the pier weigh?');
  await client.delete(`/documents/${documents.bell}`);
  const { turns } = await client.get(`/conversations/${whole}`);
  return { whole, broken, lamp: documents.lamp, answers: turns.map(answerOf), notesGiven: 'share' in turns[0] };
}

const answerOf = ({ answer }) => answer?.content ?? null;

/** Puts people, keys, datasets, documents in several states and answers into a running service. */
export async function fill(service) {
  const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  const me = await client.get('/auth/me');
  await client.post(`/tenants/${me.tenant_id}/members`, { ...MEMBER, role: 'editor' });
  const key = await client.post('/auth/api-keys', {
    name: 'reader',
    role: 'viewer',
    scopes: ['datasets:read', 'documents:read', 'retrieval:search', 'chat:complete'],
  });
  const dataset = await client.createDataset('Handbooks', { acl: 'all_team_members' });
  const quiet = await client.createDataset('Private', { acl: 'only_me' });
  const ids = await uploadFixtures(client, dataset);
  const [failing] = [await client.upload(dataset, { name: 'empty.txt', content: '' })];
  await client.pollUntilTerminal(failing.id);
  const note = await client.upload(quiet, {
    name: 'note.txt',
    content: 'The safe opens with the green key on Mondays.',
  });
  await client.pollUntilTerminal(note.id);
  const gone = await client.upload(dataset, { name: 'gone.txt', content: 'This page is going to be deleted.' });
  await client.pollUntilTerminal(gone.id);
  await client.delete(`/documents/${gone.id}`);
  const hidden = await client.upload(dataset, {
    name: 'hidden.txt',
    content: 'Zanzibar clove prices are kept under seal.',
  });
  await client.pollUntilTerminal(hidden.id);
  const quarantine = await client.send('POST', '/governance/quarantine', {
    document_ids: [hidden.id],
    reason: 'a test',
  });
  const answer = await client.chat('When does the safe open?', [quiet]);
  const conversations = await converse(client, dataset);
  const login = await client.post('/auth/login', MEMBER);
  const documents = [...ids, failing.id, note.id];
  return {
    dataset,
    quiet,
    gone: gone.id,
    hidden: quarantine.status < 300 ? hidden.id : undefined,
    key: key.secret ?? key.key,
    refreshToken: login.refresh_token,
    citations: answer.citations,
    requestId: answer.request_id,
    conversations,
    documents: await readAll(client, documents),
    found: await searchAll(client, [dataset, quiet]),
  };
}

/** Yields one line for each thing that is not as it was. */
export async function* findLosses(service, before) {
  const admin = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  const now = await readAll(admin, Object.keys(before.documents));
  for (const [id, document] of Object.entries(before.documents)) {
    for (const part of Object.keys(document)) {
      const [was, is] = [JSON.stringify(document[part]), JSON.stringify(pickLike(now[id][part], document[part]))];
      if (was !== is) yield `${document.shown.name}: ${part} was ${was} and is ${is}`;
    }
  }
  for (const [n, results] of (await searchAll(admin, [before.dataset, before.quiet])).entries()) {
    const [first] = before.found[n];
    if (first !== undefined && !results.includes(first))
      yield `search: what answered "${QUESTIONS[n]}" first is not found`;
  }
  yield* findLostCitations(admin, before);
  yield* findLostCredentials(service, before);
  if (before.conversations !== undefined) yield* findLostConversations(admin, before.conversations);
  if ((await admin.send('GET', `/documents/${before.gone}`)).status !== 404) yield 'the deleted document is back';
  const { results } = await admin.search('Zanzibar clove prices', [before.dataset]);
  if (before.hidden !== undefined && results.some(({ document_id: id }) => id === before.hidden))
    yield 'the quarantined document is found';
  const fresh = await admin.upload(before.dataset, { name: 'fresh.txt', content: 'Quokkas sleep under the veranda.' });
  await admin.pollUntilTerminal(fresh.id);
  const found = await admin.search('Where do quokkas sleep?', [before.dataset]);
  if (found.results[0]?.document_id !== fresh.id) yield 'a new document is not found first';
}

/** A later version may show more fields than an earlier one. */
function pickLike(value, earlier) {
  return Array.isArray(earlier) || typeof earlier !== 'object' || earlier === null
    ? value
    : pick(value, Object.keys(earlier));
}

async function* findLostCitations(client, before) {
  if (before.citations.length === 0) yield 'the former version cited nothing';
  for (const citation of before.citations) {
    const text = await client.text(citation.document_id);
    const cited = text.slice(citation.source_char_start, citation.source_char_end);
    if (cited !== citation.cited_text) yield `citation ${citation.marker}: "${citation.cited_text}" is now "${cited}"`;
  }
  const again = await client.chat('When does the safe open?', [before.quiet]);
  if (!again.citations.some(({ verified }) => verified))
    yield 'the question is not answered with a verified citation any more';
}

async function* findLostCredentials(service, before) {
  const anyone = new ApiClient(service.url);
  const member = await anyone.login(MEMBER.email, MEMBER.password);
  const seen = await member.get('/datasets/');
  if (seen.total !== 1) yield `the member sees ${seen.total} datasets instead of one`;
  const byKey = await anyone.asApiKey(before.key).send('GET', `/datasets/${before.dataset}`);
  if (byKey.status !== 200) yield `the API key answers ${byKey.status}`;
  const refreshed = await anyone.send('POST', '/auth/refresh', { refresh_token: before.refreshToken });
  if (refreshed.status !== 200) yield `the refresh token answers ${refreshed.status}`;
}

/**
 * Answers are shown as they were, and go with their documents. A version that did not note which earlier answers a model was given has left
 * turns that count as given all of them.
 */
async function* findLostConversations(client, { whole, broken, lamp, answers, notesGiven }) {
  const read = async (id) => (await client.get(`/conversations/${id}`)).turns.map(answerOf);
  const expectAnswers = async function* (what, id, expected) {
    const [was, is] = [JSON.stringify(expected), JSON.stringify(await read(id))];
    if (was !== is) yield `${what}: the answers are ${is} instead of ${was}`;
  };
  if (answers.includes(null)) yield `a conversation of the former version shows ${JSON.stringify(answers)}`;
  const gone = [null, notesGiven ? answers[1] : null];
  yield* expectAnswers('a conversation', whole, answers);
  yield* expectAnswers('a conversation that had lost a document', broken, gone);
  await client.delete(`/documents/${lamp}`);
  yield* expectAnswers('a conversation that has lost a document', whole, gone);
}
