import { rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ApiClient } from '../../scripts/lib/api-client.js';
import { ServiceProcess } from '../support/service-process.js';
import { writePlugin } from './support/plugin-folder.js';
import { queryUntil } from './support/stored-state.js';

const POSITIONS = ['after_parsing', 'after_chunking', 'before_switch'] as const;
const PATIENCE_MS = 60_000;
const POLL_ROWS_MS = 200;
/** More rows than are written at once. */
const ROWS = 1_200;

/**
 * Three steps that give `ROWS` rows each for a document, the last of them after the file `hold-<position>` is gone; `reached-<position>`
 * says that the others are given.
 */
const PACKAGE = `
  import { existsSync, writeFileSync } from 'node:fs';
  import { join } from 'node:path';
  import { Module } from '@nestjs/common';
  import { definePlugin, IngestionStep, tenantIsolation } from 'knowledge-base-service/extension';
  const folder = process.cwd();
  const steps = ${JSON.stringify(POSITIONS)}.map((at) => {
    class Step {
      async *run() {
        for (let n = 0; n < ${ROWS} - 1; n++) yield { kind: 'rows', table: 'acme_steps_' + at, rows: [{ n }] };
        writeFileSync(join(folder, 'reached-' + at), '');
        while (existsSync(join(folder, 'hold-' + at))) await new Promise((resolve) => setTimeout(resolve, 20));
        yield { kind: 'rows', table: 'acme_steps_' + at, rows: [{ n: ${ROWS} - 1 }] };
      }
    }
    IngestionStep({ name: at, at, tables: ['acme_steps_' + at], onFailure: 'fail' })(Step);
    return Step;
  });
  class StepsModule {}
  Module({ providers: steps })(StepsModule);
  const table = (at) => 'CREATE TABLE acme_steps_' + at + ' (tenant_id uuid NOT NULL, ' +
    'document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE, generation bigint NOT NULL, n int NOT NULL, ' +
    'PRIMARY KEY (document_id, generation, n));' + tenantIsolation('acme_steps_' + at);
  export default definePlugin({
    name: 'acme-steps',
    modules: [StepsModule],
    migrations: ${JSON.stringify(POSITIONS)}.map((at) => ({ name: '0001-' + at, up: (query) => query(table(at)) })),
  });
`;

interface RowCounts {
  readonly id: string;
  readonly shown: number;
  readonly others: number;
}

describe('A service that SIGKILL ends while a contributed step works', () => {
  let service: ServiceProcess;
  let api: ApiClient;
  let folder: string;
  beforeAll(async () => {
    folder = await writePlugin('acme-steps', PACKAGE);
    service = await ServiceProcess.start({
      settings: { PLUGINS: 'acme-steps', INGESTION_LEASE_SECONDS: '2' },
      packages: { 'acme-steps': folder },
    });
    api = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  });
  afterAll(async () => {
    await service?.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const countsOf = async (
    position: string,
    ids: readonly string[],
    isEnough: (rows: readonly RowCounts[]) => boolean,
  ) =>
    queryUntil<RowCounts>(
      join(service.folder, 'data'),
      {
        sql: `SELECT d.id::text, count(s.n) FILTER (WHERE s.generation = d.visible_generation)::int AS shown,
                count(s.n) FILTER (WHERE s.generation IS DISTINCT FROM d.visible_generation)::int AS others
              FROM documents d LEFT JOIN acme_steps_${position} s ON s.document_id = d.id
              WHERE d.id = ANY ($1::uuid[]) GROUP BY d.id ORDER BY d.id`,
        values: [ids],
        pauseMs: POLL_ROWS_MS,
      },
      isEnough,
    );

  it.each(POSITIONS)('shows the rows of one attempt and keeps no other, killed %s', async (position) => {
    const [hold, reached] = [join(service.folder, `hold-${position}`), join(service.folder, `reached-${position}`)];
    await writeFile(hold, '');
    const datasetId = await api.createDataset(`steps ${position}`);
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three']) {
      const content = Buffer.from(`# ${name}\n\nThe pump is serviced twice a year.\n`);
      ids.push((await api.upload(datasetId, { name: `${name}.md`, content })).id);
    }
    await until(() => existsSync(reached), { what: reached, withinMs: PATIENCE_MS });
    const before = await countsOf(position, ids, (rows) => rows.some(({ others }) => others > 0));
    expect(before.map(({ shown }) => shown)).toEqual([0, 0, 0]);
    await service.kill('SIGKILL');
    await rm(hold);
    await service.start();
    const whole = ({ shown, others }: RowCounts): boolean => shown === ROWS && others === 0;
    const after = await countsOf(position, ids, (rows) => rows.every(whole));
    expect(after.map(({ shown, others }) => [shown, others])).toEqual(ids.map(() => [ROWS, 0]));
  });
});
