import type { ApiClient } from '../api-client.js';
import { ingestArchive, partsOf, zipOf } from '../archive-files.js';
import type { Person } from '../people.js';
import { ATTRIBUTE_BREAK, CORPUS } from './corpus.js';
import { evaluate, keepBack, talk, type HostilePlace } from './house.js';

/** An address that a page must not take for markup: nothing but white space and a second @ is forbidden in one. */
export const HOSTILE_ADDRESS = `<svg/onload=ranHere('address')>@example.com`;
/** A dataset's instructions, every line of the corpus in them. */
export const HOSTILE_INSTRUCTIONS = CORPUS.map(({ text }) => text).join('\n');
/** Names of the members that come by the issuer. */
export const HOSTILE_PEOPLE = CORPUS.map(({ text }) => `person ${text}`);

const LONGEST_NAME = 128;
const nameOf = (kind: string, text: string): string => `${kind} ${text}`.slice(0, LONGEST_NAME).trim();
const all = (make: (text: string) => string): readonly string[] => CORPUS.map(({ text }) => make(text));

const TITLES = all((text) => nameOf('conversation', text));
const QUESTIONS = all((text) => `question ${text}`);
const REASONS = all((text) => `reason ${text}`);
const EXPECTED = all((text) => `expected ${text}`);
const KEYS = all((text) => nameOf('key', text));
const CASE_SETS = all((text) => nameOf('case set', text));
const EVALUATION = nameOf('evaluation', ATTRIBUTE_BREAK);

/** Categories of the tenant. No page shows them yet: one that does is watched from its first day. */
export async function plantCategories(client: ApiClient): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const name of all((text) => nameOf('category', text))) {
    ids.push((await client.post<{ id: string }>('/datasets/categories', { name })).id);
  }
  return ids;
}

/** Everything that people name or write beside documents, and where it is to be read. */
export async function plantWords({ client }: Person, datasetId: string): Promise<readonly HostilePlace[]> {
  const talks: string[] = [];
  for (const [index, title] of TITLES.entries()) {
    const words = { question: QUESTIONS[index]!, reason: REASONS[index]!, expected: EXPECTED[index]! };
    talks.push(await talk(client, datasetId, { title, ...words }));
  }
  for (const name of KEYS) await client.post('/auth/api-keys', { name, scopes: ['datasets:read'] });
  for (const [index, name] of CASE_SETS.entries()) {
    const cases = [{ query: QUESTIONS[index]!, expected_answer: EXPECTED[index]! }];
    await client.post('/evaluations/case-sets', { name, dataset_ids: [datasetId], cases });
  }
  const place = `/d/${datasetId}`;
  return [
    { name: 'conversations', address: '/conversations', texts: TITLES },
    { name: 'an open conversation', address: `/ask?c=${talks[0]}`, texts: [TITLES[0]!, QUESTIONS[0]!] },
    { name: 'a conversation to rename', address: '/conversations', press: 'main li button', texts: TITLES.slice(-1) },
    { name: 'people', address: '/people', texts: [...HOSTILE_PEOPLE, HOSTILE_ADDRESS] },
    { name: 'a role to change', address: '/people', press: RENAMED, texts: HOSTILE_PEOPLE.slice(0, 1) },
    { name: 'a member to remove', address: '/people', press: `${PERSON} .danger`, texts: HOSTILE_PEOPLE.slice(0, 1) },
    { name: 'keys', address: '/keys', texts: KEYS },
    { name: 'a key to end', address: '/keys', press: 'main li button', texts: KEYS.slice(0, 1) },
    { name: 'settings', address: `${place}/settings`, texts: [...HOSTILE_PEOPLE, ...CORPUS.map(({ text }) => text)] },
    {
      name: 'questions and remarks',
      address: `${place}/quality?outcome=rated_down`,
      press: 'main section ul + button',
      texts: [...QUESTIONS, ...REASONS, ...EXPECTED],
    },
    { name: 'case sets', address: `${place}/quality?outcome=rated_down`, press: KEEP, texts: CASE_SETS },
  ];
}

const PERSON = 'main li:has-text("person place 1 ")';
const RENAMED = `${PERSON} button:not(.danger)`;
const KEEP = 'main section li:has-text("question place") button';

/** A dataset of one archive, whose files have hostile names and places. */
export async function plantArchive(client: ApiClient): Promise<readonly HostilePlace[]> {
  const datasetId = await client.createDataset('Archive');
  const files = CORPUS.map(({ name, number }) => [`part ${name}/inner ${name}.txt`, `Text of file ${number}.\n`]);
  const zip = zipOf(Object.fromEntries(files));
  const { id } = await ingestArchive(client, datasetId, zip, {}, `archive ${CORPUS[0]!.name}.zip`);
  const names = [...(await partsOf(client, id)).values()].map(({ name }) => name);
  const isHostile = (name: string): boolean => name.includes('<');
  // What the service had changed would show nothing.
  if (names.filter(isHostile).length !== CORPUS.filter(({ name }) => isHostile(name)).length)
    throw new Error(`The names of the files are changed:\n${names.join('\n')}`);
  return [
    { name: 'files of an archive', address: `/d/${datasetId}/documents`, texts: names },
    { name: 'an archive', address: `/d/${datasetId}/documents/${id}`, texts: names },
  ];
}

const LONGEST_REASON = 500;

/** A document in quarantine, with as many lines of the corpus as fit for its reason. */
export async function plantHeld(
  client: ApiClient,
  datasetId: string,
): Promise<{ readonly id: string; readonly place: HostilePlace }> {
  const texts: string[] = [];
  for (const { text } of CORPUS) if ([...texts, text].join(' ').length <= LONGEST_REASON) texts.push(text);
  const id = await keepBack(client, datasetId, texts.join(' '));
  return { id, place: { name: 'a reason of a quarantine', address: `/d/${datasetId}/documents/${id}`, texts } };
}

/** An evaluation with a hostile name, of a case for each line of the corpus. */
export async function plantEvaluation(
  client: ApiClient,
  datasetId: string,
): Promise<{ readonly id: string; readonly places: readonly HostilePlace[] }> {
  const cases = QUESTIONS.map((query) => ({ query, relevant: [{ text: 'what stands nowhere' }] }));
  const body = { name: EVALUATION, dataset_ids: [datasetId], cases };
  const { id: set } = await client.post<{ id: string }>('/evaluations/case-sets', body);
  const id = await evaluate(client, datasetId, { name: EVALUATION, set });
  const place = `/d/${datasetId}`;
  return {
    id,
    places: [
      { name: 'test cases and evaluations', address: `${place}/quality`, texts: [...CASE_SETS, EVALUATION] },
      { name: 'an evaluation', address: `${place}/evaluations/${id}`, texts: [EVALUATION, ...QUESTIONS.slice(0, 10)] },
    ],
  };
}
