import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#libs/database';
import { until } from '#testing/until';
import { ApiClient, readSse, type Problem, type SseEvent } from '../support/api-client.js';
import { addMember, personOf, withApiKey, type Person } from '../support/people.js';
import { bringData } from '../support/data-template.js';
import { ProviderProcess } from '../support/provider-process.js';
import { ServiceProcess } from '../support/service-process.js';

const QUESTION = 'How often is the pump serviced?';
const SENTENCE = 'The pump in hall three is serviced every 500 hours by a technician.';
const PASSWORD = 'a long enough password';
const NEW_PASSWORD = 'quite another long password';
const SCOPES = ['chat:complete', 'datasets:read', 'documents:read'];
/** What the streams rest on is looked at each half second; a busy machine is given more than the two that are promised. */
const WITHIN_MS = 6_000;

/** What is open when the right is lost, and whose it is. */
interface Scene {
  readonly admin: Person;
  readonly member: Person;
  /** Opens the streams: as the member, or with a key of the member. */
  readonly reader: ApiClient;
  readonly datasetId: string;
  readonly keyId: string | undefined;
  readonly jobId: string;
  readonly scanId: string;
  /** Resumable events of the reader, for the one that is resumed. */
  readonly begun: readonly SseEvent[];
}

interface DatasetWithDocument {
  readonly datasetId: string;
  readonly documentId: string;
}

interface Opened {
  /** The code of the problem that ends it. */
  readonly end: Promise<string>;
}

let folder: string;
let postgres: EmbeddedPostgres;
let double: ProviderProcess;
let here: ServiceProcess;
let there: ServiceProcess;
let database: Client;
let admin: Person;
let scenes = 0;
const datasets: DatasetWithDocument[] = [];

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'kb-rights-')));
  await chmod(folder, 0o711);
  double = await ProviderProcess.start('openai');
  await bringData(folder);
  const dataDirectory = join(folder, 'postgres');
  postgres = await startEmbeddedPostgres({ dataDirectory, log: () => undefined, initdbNoSync: true });
  const first = { email: 'admin@example.com', password: randomBytes(12).toString('base64url') };
  const settings = {
    DATABASE_URL: postgres.serviceUrl,
    DATABASE_MIGRATION_URL: postgres.ownerUrl,
    DATABASE_POOL_SIZE: '8',
    AUTH_JWT_KEY: 'a key for tests that both services share',
    BOOTSTRAP_ADMIN_EMAIL: first.email,
    BOOTSTRAP_ADMIN_PASSWORD: first.password,
    CHAT_PROVIDER: 'openai',
    CHAT_MODEL: 'double-chat',
    OPENAI_BASE_URL: double.baseUrl,
    OPENAI_API_KEY: 'sk-of-nobody',
    RATE_LIMITS: 'off',
  };
  here = await ServiceProcess.start({ settings });
  admin = await personOf(await new ApiClient(here.url).login(first.email, first.password), first.email);
  while (datasets.length < 2 * Object.keys(LOSSES).length) datasets.push(await makeDataset(datasets.length));
  // With a folder of its own for files and vectors, so after the ingestion.
  there = await ServiceProcess.start({ settings });
  database = new Client({ connectionString: postgres.ownerUrl });
  await database.connect();
  // Evaluations and prechecks stay as they are when they are asked for: their streams do not end by themselves.
  await database.query(`CREATE FUNCTION put_off() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.not_before := now() + interval '1 day'; RETURN NEW; END $$`);
  await database.query(`CREATE TRIGGER put_off BEFORE INSERT ON tasks FOR EACH ROW
    WHEN (NEW.kind IN ('evaluation', 'precheck_scan')) EXECUTE FUNCTION put_off()`);
  await double.always({ kind: 'endless', text: `${SENTENCE} [1] ` });
  await double.pace(100);
});

afterAll(async () => {
  await database?.end();
  await Promise.all([here?.dispose(), there?.dispose()]);
  await postgres?.stop();
  await double?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function makeDataset(number: number): Promise<DatasetWithDocument> {
  const datasetId = await admin.client.createDataset(`Pumps ${number}`, { acl: 'all_team_members' });
  const { id } = await admin.client.upload(datasetId, { name: 'pump.txt', content: SENTENCE });
  await admin.client.pollUntilTerminal(id);
  return { datasetId, documentId: id };
}

async function setScene(options: { byKey?: boolean }): Promise<Scene> {
  const { byKey = false } = options;
  scenes += 1;
  const member = await addMember(admin, `member-${scenes}@example.com`, 'editor');
  const { datasetId, documentId } = datasets.pop()!;
  const relevant = [{ text: SENTENCE }];
  const evaluation = { name: `Pumps ${scenes}`, dataset_ids: [datasetId], cases: [{ query: QUESTION, relevant }] };
  const job = await admin.client.post<{ id: string }>('/evaluations/jobs', {
    ...evaluation,
    metrics: ['ndcg'],
    k: [5],
  });
  const scans = `/datasets/${datasetId}/precheck/scans`;
  const scan = await admin.client.post<{ scan_run_id: string }>(scans, { document_ids: [documentId] });
  const reader = byKey ? await withApiKey(member, SCOPES) : member.client;
  const keys = byKey ? (await member.client.get<{ items: { id: string }[] }>('/auth/api-keys')).items : [];
  const begun: SseEvent[] = [];
  for await (const event of reader.chatEvents(QUESTION, [datasetId], { stream_options: { resumable: true } })) {
    if (begun.push(event) === 3) break;
  }
  await double.forgetRequests();
  return {
    admin,
    member,
    reader,
    datasetId,
    keyId: keys[0]?.id,
    jobId: job.id,
    scanId: scan.scan_run_id,
    begun,
  };
}

/** Opens a stream, and resolves when it is there. */
async function follow(client: ApiClient, path: string, body?: object): Promise<Opened> {
  const response = await fetch(`${client.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...client.headers, Accept: 'text/event-stream', 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return { end: lastProblemOf(response) };
}

async function lastProblemOf(response: Response): Promise<string> {
  let last: SseEvent | undefined;
  for await (const event of readSse(response.body!)) last = event;
  return last?.event === 'error' ? (JSON.parse(last.data) as Problem).code : `no error: ${JSON.stringify(last)}`;
}

const messages = [{ role: 'user', content: QUESTION }];
const chatOf = ({ datasetId }: Scene): object => ({ messages, dataset_ids: [datasetId], stream: true });

/** Everything that takes long, and how it tells its end. */
const KINDS: Readonly<Record<string, (scene: Scene) => Promise<Opened>>> = {
  'a chat': (scene) => follow(scene.reader, '/chat/completions', chatOf(scene)),
  'a resumed chat': (scene) =>
    follow(scene.reader.with({ 'Last-Event-ID': scene.begun.at(-1)!.id! }), '/chat/completions', chatOf(scene)),
  'a whole answer': async ({ reader, datasetId }) => {
    const answer = reader.send<Problem>('POST', '/chat/completions', { messages, dataset_ids: [datasetId] });
    return { end: answer.then(({ body }) => body.code) };
  },
  'an answer through MCP': async ({ reader, datasetId }) => {
    const params = { name: 'answer', arguments: { question: QUESTION, dataset_ids: [datasetId] } };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const answer = reader.send<{ result: { isError?: boolean; structuredContent: Problem } }>('POST', '/mcp', call);
    return { end: answer.then(({ body }) => `${body.result.structuredContent.code}`) };
  },
  'events of an evaluation': ({ reader, jobId }) => follow(reader, `/evaluations/jobs/${jobId}/events`),
  'events of a precheck': ({ reader, datasetId, scanId }) =>
    follow(reader, `/datasets/${datasetId}/precheck/scans/${scanId}/events`),
  'events of documents': ({ reader, datasetId }) => follow(reader, `/datasets/${datasetId}/documents/events`),
};

/** It ends by itself 4.5 s after its start, so it is opened last, and judged where the right was lost well before. */
const STREAM_TEST = 'the test of streams';
const STREAM_TEST_JUDGED_MS = 2_000;
/** How often it could be judged, of the losses that it feels. */
const judged = new Map<string, number>();

interface Loss {
  readonly scene: Parameters<typeof setScene>[0];
  /** Through the API at `at`, which may be another process than the one that has the streams open. */
  readonly lose: (scene: Scene, at: string) => Promise<unknown>;
  readonly codes: readonly string[];
  readonly isOfDataset?: boolean;
}

const at = (client: ApiClient, url: string): ApiClient => new ApiClient(url, client.headers);
const OF_DATASET = ['datasets.not_found', 'evaluations.job_not_found'];

const LOSSES: Readonly<Record<string, Loss>> = {
  'removal from the tenant': {
    scene: {},
    lose: ({ member }, url) => at(admin.client, url).delete(`/tenants/${admin.tenantId}/members/${member.accountId}`),
    codes: ['auth.not_a_member'],
  },
  'deletion of the dataset': {
    scene: {},
    lose: ({ datasetId }, url) => at(admin.client, url).delete(`/datasets/${datasetId}`),
    codes: OF_DATASET,
    isOfDataset: true,
  },
  'a change of the access list': {
    scene: {},
    lose: ({ datasetId }, url) => at(admin.client, url).patch(`/datasets/${datasetId}`, { acl: 'only_me' }),
    codes: OF_DATASET,
    isOfDataset: true,
  },
  'revocation of the key': {
    scene: { byKey: true },
    lose: ({ member, keyId }, url) => at(member.client, url).delete(`/auth/api-keys/${keyId}`),
    codes: ['auth.credential_invalid'],
  },
  'the end of the key': {
    scene: { byKey: true },
    lose: ({ keyId }) => database.query(`UPDATE api_keys SET expires_at = now() WHERE id = $1`, [keyId]),
    codes: ['auth.credential_invalid'],
  },
  'removal of the account of the key': {
    scene: { byKey: true },
    lose: ({ member }, url) => at(admin.client, url).delete(`/tenants/${admin.tenantId}/members/${member.accountId}`),
    codes: ['auth.not_a_member', 'auth.credential_invalid'],
  },
  'a new password': {
    scene: {},
    lose: ({ member }, url) =>
      at(member.client, url).send('POST', '/auth/password', {
        current_password: PASSWORD,
        new_password: NEW_PASSWORD,
      }),
    codes: ['auth.credential_invalid'],
  },
  'a disabled account': {
    scene: {},
    lose: ({ member }) => database.query(`UPDATE accounts SET state = 'disabled' WHERE id = $1`, [member.accountId]),
    codes: ['auth.credential_invalid'],
  },
};

describe.each(['the same process', 'another process'])('in %s', (where) => {
  it.each(Object.entries(LOSSES))('%s ends every answer that is under way, with the reason', async (_name, loss) => {
    const scene = await setScene(loss.scene);
    const opened = await Promise.all(
      Object.entries(KINDS).map(async ([kind, open]): Promise<[string, Promise<string>]> => [
        kind,
        (await open(scene)).end,
      ]),
    );
    await until(async () => (await double.requests()).length >= 3, { what: 'the model at work' });
    const openedAt = Date.now();
    if (loss.isOfDataset !== true) opened.push([STREAM_TEST, (await follow(scene.reader, '/chat/stream-test')).end]);
    const ends = new Map<string, string>();
    for (const [kind, end] of opened) void end.then((code) => ends.set(kind, code));
    await loss.lose(scene, where === 'the same process' ? here.url : there.url);
    const isJudged = loss.isOfDataset !== true && Date.now() - openedAt <= STREAM_TEST_JUDGED_MS;
    if (isJudged) judged.set(where, (judged.get(where) ?? 0) + 1);
    await until(() => ends.size === opened.length, { what: `all but ${[...ends.keys()].join()}`, withinMs: WITHIN_MS });
    for (const [kind, code] of ends) {
      if (kind === STREAM_TEST && !isJudged) continue;
      expect([kind, loss.codes.includes(code) ? 'told' : code]).toEqual([kind, 'told']);
    }
  });

  it('the test of streams was open when a right was lost', () => expect(judged.get(where)).toBeGreaterThan(1));
});
