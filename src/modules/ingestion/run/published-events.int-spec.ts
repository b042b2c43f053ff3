import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DatasetId } from '#libs/common';
import { DatasetContents } from '../../datasets/index.js';
import { DocumentTransitions } from '../../documents/index.js';
import { IngestionLab } from '../testing/ingestion-lab.js';

interface Published {
  readonly type: string;
  readonly subject: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

let lab: IngestionLab;
let datasetId: DatasetId;

beforeAll(async () => {
  lab = await IngestionLab.open();
  datasetId = await lab.addDataset();
});

afterAll(() => lab.close());

/** Events published since the last call, in order. */
async function published(): Promise<Published[]> {
  const rows = await lab.system<Published & { seq: string }>(
    `WITH gone AS (DELETE FROM domain_events RETURNING *) SELECT seq, type, subject, payload FROM gone ORDER BY seq`,
  );
  return rows.map(({ type, subject, payload }) => ({ type, subject, payload }));
}

it('events are published once for each end of an ingestion, with the attempt and the policy version', async () => {
  const [id, empty] = await lab.upload(datasetId, [
    { name: 'pump.txt', content: 'The pump needs a new gasket.' },
    { name: 'empty.txt', content: '' },
  ]);
  await lab.work();
  const first = await published();
  const of = (subject: string) => first.filter((event) => event.subject === subject);
  expect(of(id!)).toEqual([
    {
      type: 'document.completed',
      subject: id,
      payload: {
        document_id: id,
        dataset_id: datasetId,
        revision: 1,
        attempt: 1,
        policy_version: 1,
        chunk_count: 1,
        token_count: expect.any(Number),
        page_count: null,
        size_bytes: 28,
      },
    },
  ]);
  expect(of(empty!)).toMatchObject([
    { type: 'document.failed', payload: { error_code: 'EMPTY_FILE', stage: 'parsing', searchable: false } },
  ]);
  expect(first).toHaveLength(2);
  await lab.reingest([id!]);
  await lab.work();
  expect(await published()).toMatchObject([{ type: 'document.completed', subject: id, payload: { attempt: 2 } }]);
});

it('events contain the codes of warnings', async () => {
  const [id] = await lab.upload(datasetId, [{ name: 'blank.txt', content: '  \n \n' }]);
  await lab.work();
  expect(await published()).toMatchObject([
    { type: 'document.completed_with_warnings', subject: id, payload: { chunk_count: 0, warnings: ['ZERO_CHUNKS'] } },
  ]);
});

it('events are published for operations on documents, in the order of the operations', async () => {
  const [id] = await lab.upload(datasetId, [{ name: 'valve.txt', content: 'The valve is shut.' }]);
  await lab.work();
  const transitions = lab.get(DocumentTransitions);
  await lab.reingest([id!]);
  await transitions.cancel(lab.owner.ctx, [id!]);
  await transitions.quarantine(lab.owner.ctx, [id!], 'a look');
  await transitions.release(lab.owner.ctx, [id!]);
  await transitions.delete(lab.owner.ctx, [id!]);
  const events = await published();
  expect(events.map(({ type }) => type)).toEqual([
    'document.completed',
    'document.cancelled',
    'document.quarantined',
    'document.released',
    'document.deleted',
  ]);
  expect(events[1]?.payload).toMatchObject({ status: 'completed', attempt: 2 });
  expect(JSON.stringify(events)).not.toMatch(/a look|valve/);
});

it('events are published for each document that is deleted with its dataset', async () => {
  const other = await lab.addDataset();
  const ids = await lab.upload(other, [
    { name: 'a.txt', content: 'a' },
    { name: 'b.txt', content: 'b' },
  ]);
  await lab.db.unitOfWork.run(lab.owner.ctx, (_manager, ctx) => lab.get(DatasetContents).hide(ctx, other));
  const events = await published();
  expect(events.map(({ subject }) => subject).sort()).toEqual([...ids].sort());
  expect(events.every(({ type, payload }) => type === 'document.deleted' && payload['with_dataset'] === true)).toBe(
    true,
  );
});
