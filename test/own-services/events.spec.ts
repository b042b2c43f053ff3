import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectToRunningEmbeddedPostgres } from '#libs/database';
import { useService } from '../support/service-process.js';

const COMMAND = fileURLToPath(new URL('../../dist/src/cli/events.js', import.meta.url));
/** A subscriber that no process of the service is: what is handed out to it stays. */
const WATCHER = 'watcher';
const service = useService();

interface Told {
  readonly type: string;
  readonly subject: string;
  readonly payload: unknown;
}

async function query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  const running = await connectToRunningEmbeddedPostgres(join(service.process.folder, 'data', 'postgres'));
  const client = new Client({ connectionString: running!.ownerUrl });
  await client.connect();
  try {
    return (await client.query(sql, [...parameters])).rows as Row[];
  } finally {
    await client.end();
  }
}

/** What the watcher has been told about a dataset, in order, once there are `count` events. */
async function toldAbout(datasetId: string, count: number): Promise<Told[]> {
  const read = (): Promise<Told[]> =>
    query(`SELECT type, subject, payload FROM event_deliveries WHERE subscriber = $1 AND subject = $2 ORDER BY seq`, [
      WATCHER,
      datasetId,
    ]);
  await expect.poll(async () => (await read()).length, { timeout: 30_000 }).toBe(count);
  return read();
}

beforeAll(async () => {
  await query(
    `INSERT INTO event_subscriptions (subscriber, type, seen_at)
     SELECT $1, type, now() FROM unnest($2::text[]) AS t(type)`,
    [WATCHER, ['dataset.deleted', 'policy.version_created']],
  );
});

describe('events that routes of datasets publish', () => {
  it('tell of each version of a policy, with the version that it is a copy of', async () => {
    const { admin } = service;
    const me = await admin.get<{ account: { id: string } }>('/auth/me');
    const dataset = await admin.createDataset('with versions');
    const path = `/datasets/${dataset}/ingestion-policy`;
    await admin.send('PUT', path, { chunking: { chunk_size: 256 } });
    await admin.post(`${path}/rollback`, { version: 1 });
    const told = await toldAbout(dataset, 3);
    const version = (policy_version: number, source_version: number | null): Told => ({
      type: 'policy.version_created',
      subject: dataset,
      payload: {
        dataset_id: dataset,
        policy_version,
        source_version,
        author_id: me.account.id,
        fingerprint: expect.stringMatching(/^[0-9a-f]{16,}$/) as unknown,
      },
    });
    expect(told).toEqual([version(1, null), version(2, null), version(3, 1)]);
    const [first, second, third] = told.map(({ payload }) => (payload as { fingerprint: string }).fingerprint);
    expect(third).toBe(first);
    expect(second).not.toBe(first);
  });

  it('tell of the deletion of a dataset, with the counts that its answer gave', async () => {
    const { admin } = service;
    const dataset = await admin.createDataset('deleted');
    const { id } = await admin.upload(dataset, { name: 'valve.txt', content: 'The valve opens at four bar.' });
    await admin.pollUntilTerminal(id);
    const { body } = await admin.send<{ deletion_id: string }>('DELETE', `/datasets/${dataset}`);
    const [, deleted] = await toldAbout(dataset, 2);
    expect(deleted).toEqual({
      type: 'dataset.deleted',
      subject: dataset,
      payload: { dataset_id: dataset, deletion_id: body.deletion_id, documents: 1, chunks: 1, blobs: 1 },
    });
  });
});

describe('npm run events', () => {
  const events = (
    ...args: string[]
  ): { readonly status: number | null; readonly out: string; readonly err: string } => {
    const env = { PATH: process.env['PATH'], DATA_DIR: join(service.process.folder, 'data') };
    const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
      cwd: service.process.folder,
      env,
      encoding: 'utf8',
      timeout: 60_000,
    });
    return { status, out: stdout, err: stderr };
  };

  /** Parks everything that the watcher has not taken about a dataset, as the service does after a day. */
  async function park(dataset: string): Promise<string[]> {
    const rows = await query<{ seq: string }>(
      `WITH gone AS (DELETE FROM event_deliveries WHERE subscriber = $1 AND subject = $2 RETURNING *),
       lanes AS (DELETE FROM event_lanes WHERE subscriber = $1 AND subject = $2)
       INSERT INTO parked_events (subscriber, seq, subject, id, tenant_id, type, version, payload, request_id, occurred_at, failures, reason, parked_at)
       SELECT subscriber, seq, subject, id, tenant_id, type, version, payload, request_id, occurred_at, 40, 'WATCHER_AWAY', now() FROM gone
       RETURNING seq`,
      [WATCHER, dataset],
    );
    return rows.map(({ seq }) => seq).toSorted((a, b) => Number(a) - Number(b));
  }

  it('lists what is parked, without what it says, and sends it again to the subscriber, one event or all', async () => {
    const { admin } = service;
    const dataset = await admin.createDataset('parked');
    await admin.send('PUT', `/datasets/${dataset}/ingestion-policy`, { chunking: { chunk_size: 256 } });
    const before = await toldAbout(dataset, 2);
    const [first, second] = await park(dataset);
    expect(await toldAbout(dataset, 0)).toEqual([]);

    const listed = events('list', '--subscriber', WATCHER);
    expect(listed.status, listed.err).toBe(0);
    const [summary, ...lines] = listed.out.trim().split('\n');
    expect(summary).toMatch(/^watcher policy\.version_created: 2, the first parked at \d{4}-/);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { subscriber: WATCHER, seq: first, subject: dataset, failures: 40, reason: 'WATCHER_AWAY' },
      { subscriber: WATCHER, seq: second, subject: dataset },
    ]);
    expect(listed.out).not.toMatch(/fingerprint/);

    expect(events('resend', '--seq', second!)).toMatchObject({ status: 0, out: '1 sent again.\n' });
    expect(await toldAbout(dataset, 1)).toEqual([before[1]]);
    expect(events('resend', '--subscriber', 'nobody')).toMatchObject({ status: 0, out: '0 sent again.\n' });
    expect(events('resend', '--all')).toMatchObject({ status: 0, out: '1 sent again.\n' });
    expect(await toldAbout(dataset, 2)).toEqual(before);
    expect(events('list')).toMatchObject({ status: 0, out: '', err: expect.stringMatching(/No event is parked\.\n$/) });
  });

  it.each([
    [],
    ['resend'],
    ['resend', '--seq', 'two'],
    ['remove', '--all'],
    ['resend', '--all', '--subscirber', WATCHER],
    ['resend', '--all', '--seq'],
    ['list', 'resend'],
  ])('says what can be asked: %s', (...args) => {
    expect(events(...args)).toMatchObject({ status: 2, err: expect.stringMatching(/^Say what to do: list /) });
  });
});
