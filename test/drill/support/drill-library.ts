import { until } from '#testing/until';
import { ApiClient, type DocumentRecord } from '../../support/api-client.js';
import { addTenant, withApiKey, type Person } from '../../support/people.js';

/** Longer than any step of a drill by hand may take. */
export const WHOLE_DRILL_MS = 30 * 60_000;
const SUBJECTS = ['pump', 'valve', 'lamp', 'mirror', 'gear', 'fan', 'sensor', 'cable', 'filter', 'motor'];
const PLACES = ['hall', 'cellar', 'roof', 'yard', 'workshop', 'gate', 'tower', 'kitchen', 'garage', 'office', 'lift'];
const VERBS = ['cleaned', 'serviced', 'replaced', 'oiled', 'measured', 'painted', 'inspected'];
const PER_REQUEST = 20;
const TOP = 10;

/** One tenant with its documents. */
export interface Branch {
  readonly person: Person;
  /** What is compared afterwards. */
  readonly dataset: string;
  /** Where files come in while the backup runs. */
  readonly incoming: string;
  readonly documents: readonly string[];
}

export interface Found {
  readonly query: string;
  readonly results: readonly (readonly [string, number])[];
}

export function textOf(branch: string, n: number): string {
  const [subject, place, verb] = [SUBJECTS[n % 10]!, PLACES[n % 11]!, VERBS[n % 7]!];
  return (
    `The ${subject} ${n} in the ${place} of ${branch} is ${verb} every ${(n % 89) + 3} days. ` +
    `Its number is ${branch}-${n * 7919}. Who has ${verb} the ${subject} writes it down in the book of the ${place}.`
  );
}

export async function addBranch(platform: ApiClient, name: string, count: number): Promise<Branch> {
  const person = await addTenant(platform, name, `${name}@example.com`);
  const dataset = await person.client.createDataset('Machines');
  const incoming = await person.client.createDataset('Incoming');
  const documents: string[] = [];
  for (let start = 0; start < count; start += PER_REQUEST) {
    const numbers = Array.from({ length: Math.min(PER_REQUEST, count - start) }, (_, n) => start + n);
    documents.push(...(await uploadTexts(person.client, dataset, name, numbers)));
  }
  return { person, dataset, incoming, documents };
}

export async function uploadTexts(
  client: ApiClient,
  dataset: string,
  name: string,
  numbers: readonly number[],
): Promise<string[]> {
  const form = new FormData();
  form.append('dataset_id', dataset);
  for (const n of numbers) form.append('files', new Blob([textOf(name, n)], { type: 'text/plain' }), `${n}.txt`);
  type Uploaded = { readonly results: readonly { readonly document: { readonly id: string } | null }[] };
  const { results } = await client.post<Uploaded>('/documents/batch/upload', form);
  return results.map(({ document }) => document!.id);
}

/** Resolves when nothing is pending or being processed in the dataset. */
export async function waitUntilIdle(client: ApiClient, dataset: string): Promise<void> {
  const isIdle = async (): Promise<boolean> => {
    const { document_counts: counts } = await client.get<{ document_counts: Record<string, number> }>(
      `/datasets/${dataset}`,
    );
    return counts['pending'] === 0 && counts['processing'] === 0;
  };
  await until(isIdle, { what: 'the ingestion', withinMs: WHOLE_DRILL_MS, everyMs: 200 });
}

export async function searchAll(client: ApiClient, dataset: string, name: string, count: number): Promise<Found[]> {
  const found: Found[] = [];
  for (let n = 0; n < count; n += 1) {
    const [subject, place, verb] = [SUBJECTS[n % 10]!, PLACES[(n * 3) % 11]!, VERBS[(n * 5) % 7]!];
    const query =
      n % 2 === 0 ? `How often is the ${subject} in the ${place} ${verb}?` : `number ${name}-${n * 7919} ${subject}`;
    const { results } = await client.search(query, [dataset], { top_k: TOP });
    found.push({ query, results: results.map((result) => [result.chunk_id, result.score] as const) });
  }
  return found;
}

/** A client with an API key that reads. */
export function readingKey(person: Person): Promise<ApiClient> {
  return withApiKey(person, ['documents:read', 'retrieval:search']);
}

export async function statusOf(client: ApiClient, id: string): Promise<string> {
  const { status, body } = await client.send<DocumentRecord>('GET', `/documents/${id}`);
  return status === 200 ? `${body.status} ${body.error?.code ?? ''}`.trim() : String(status);
}
