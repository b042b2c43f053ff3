import { until } from '#testing/until';
import type { ApiClient } from '../api-client.js';
import { addMember, type Person } from '../people.js';
import type { Hostile } from './corpus.js';

/** A document of the corpus, with every place where it carries its line. */
export interface HostileDocument {
  readonly id: string;
  readonly hostile: Hostile;
}

/** A page that shows what someone has called something, or written. */
export interface HostilePlace {
  readonly name: string;
  readonly address: string;
  /** Selector of what has to be pressed first. */
  readonly press?: string;
  /** What is to be read there, as it was written. */
  readonly texts: readonly string[];
}

/** What is in the service before the console's pages are looked at. */
export interface House {
  readonly datasetId: string;
  readonly datasetName: string;
  readonly emptyId: string;
  readonly hostile: readonly HostileDocument[];
  /** Where names and words are that are no part of a document. */
  readonly places: readonly HostilePlace[];
  readonly pdfId: string;
  /** A table of rows, in a dataset where it answers none of the questions. */
  readonly sheet: { readonly datasetId: string; readonly id: string };
  /** A question that it answers, words that find passages in it, and words of one that these do not find. */
  readonly question: string;
  readonly words: string;
  readonly missing: string;
  readonly failedId: string;
  /** In quarantine, with a reason. */
  readonly heldId: string;
  /** An evaluation of the dataset. */
  readonly evaluationId: string;
  /** An answer of the administrator that is shared. */
  readonly sharedId: string;
  /** What opens an invitation of someone who has no account. */
  readonly invitation: string;
  /** Who only reads. */
  readonly reader: Person;
  readonly readerPassword: string;
}

/** Someone who only reads, and someone who is invited and has not come yet. */
export async function takeIn(
  owner: Person,
  invited: string,
): Promise<Pick<House, 'invitation' | 'reader' | 'readerPassword'>> {
  const reader = await addMember(owner, 'reader@example.com', 'viewer');
  const { secret: invitation } = await owner.client.post<{ secret: string }>(`/tenants/${owner.tenantId}/members`, {
    email: invited,
    role: 'viewer',
  });
  return { invitation, reader, readerPassword: 'a long enough password' };
}

/** Keeps a new document back. Gives its id. */
export async function keepBack(client: ApiClient, datasetId: string, reason: string): Promise<string> {
  const { id } = await client.upload(datasetId, { name: 'salaries.txt', content: 'The salaries of the last year.' });
  await client.pollUntilTerminal(id);
  await client.post('/governance/quarantine', { document_ids: [id], reason });
  return id;
}

interface Talk {
  readonly title: string;
  readonly question: string;
  /** What is wrong with the answer, and what was expected. */
  readonly reason: string;
  readonly expected?: string;
}

/** A kept conversation of one question, whose answer is rated down. Gives its id. */
export async function talk(
  client: ApiClient,
  datasetId: string,
  { title, question, ...remark }: Talk,
): Promise<string> {
  const { id } = await client.post<{ id: string }>('/conversations', { title });
  const { request_id: request } = await client.post<{ request_id: string }>('/chat/completions', {
    messages: [{ role: 'user', content: question }],
    dataset_ids: [datasetId],
    conversation_id: id,
  });
  await client.post(`/requests/${request}/feedback`, { rating: 'down', ...remark });
  return id;
}

/** The link to the answer of a question. */
export async function shareAnswer(client: ApiClient, datasetId: string, question: string): Promise<string> {
  const { id } = await client.post<{ id: string }>('/conversations', {});
  const { conversation } = await client.post<{ conversation: { turn_id: string } }>('/chat/completions', {
    messages: [{ role: 'user', content: question }],
    dataset_ids: [datasetId],
    conversation_id: id,
  });
  return (await client.post<{ id: string }>(`/conversations/${id}/turns/${conversation.turn_id}/share`, {})).id;
}

/** An evaluation of the cases of a set, which has come to its end. Gives its id. */
export async function evaluate(
  client: ApiClient,
  datasetId: string,
  { name, set }: { readonly name: string; readonly set: string },
): Promise<string> {
  const { id } = await client.post<{ id: string }>('/evaluations/jobs', {
    name,
    dataset_ids: [datasetId],
    case_set_id: set,
    variants: [{ name: 'default', chat: {} }],
    gates: [{ metric: 'refusal_accuracy', min: 0.9 }],
  });
  await until(async () => {
    const { status } = await client.get<{ status: string }>(`/evaluations/jobs/${id}`);
    return !['pending', 'running'].includes(status);
  });
  return id;
}
