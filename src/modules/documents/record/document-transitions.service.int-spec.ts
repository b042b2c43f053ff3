import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, type DatasetId, type DocumentId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { AttemptEnded, type Attempt } from './attempt.js';
import { DOCUMENT_STATUSES, type DocumentStatusName } from './document.entity.js';
import { DOCUMENT_MOVES, type DocumentMove } from './document-moves.js';
import type { MoveOutcome } from './move-outcome.js';
import { createDocumentServices, DocumentLab, type DocumentInState } from '../testing/document-lab.js';

/** A new revision comes with a file, so it is tried where uploads are. */
type Asked = Exclude<DocumentMove, 'revise'>;
const ASKED = (Object.keys(DOCUMENT_MOVES) as DocumentMove[]).filter((move) => move !== 'revise');

/** Where each move leads from each state; what is left out is not possible. Written down, not computed, from the contract. */
const LEADS: Readonly<Record<Asked, Partial<Record<DocumentStatusName, DocumentStatusName | 'gone'>>>> = {
  cancel: { pending: 'cancelled', processing: 'cancelled' },
  retry: { failed: 'pending' },
  reingest: { completed: 'pending' },
  quarantine: { pending: 'quarantined', processing: 'quarantined', completed: 'quarantined', failed: 'quarantined' },
  release: { quarantined: 'pending' },
  delete: {
    pending: 'gone',
    processing: 'gone',
    completed: 'gone',
    failed: 'gone',
    quarantined: 'gone',
    cancelled: 'gone',
  },
};

let db: TestDatabase;
let services: ReturnType<typeof createDocumentServices>;
let lab: DocumentLab;
let member: TestMember;
let dataset: DatasetId;

beforeAll(async () => {
  db = await createTestDatabase();
  services = createDocumentServices(db.unitOfWork);
  lab = new DocumentLab(db.unitOfWork);
  member = await createTestMember(db.unitOfWork, 'editor');
  dataset = await lab.addDataset(member, { policyVersion: 3 });
});
afterAll(() => db.close());

const put = (document: DocumentInState): Promise<DocumentId> => lab.put(member, dataset, document);

function run(move: Asked, ids: readonly string[], who: TestMember = member): Promise<MoveOutcome> {
  return move === 'quarantine'
    ? services.transitions.quarantine(who.ctx, ids, 'Holds secrets')
    : services.transitions[move](who.ctx, ids);
}

const eventNames = async (id: DocumentId): Promise<string[]> =>
  (await lab.events(member, id)).map(({ event }) => event);

const hasTask = async (id: DocumentId): Promise<boolean> =>
  (await lab.systemRows(`SELECT 1 FROM tasks WHERE id = $1`, [id])).length === 1;

const contentSeq = async (): Promise<number> =>
  Number(
    (await lab.rows<{ n: string }>(member, `SELECT content_seq AS n FROM datasets WHERE id = $1`, [dataset]))[0]!.n,
  );

describe('every move from every state', () => {
  const cells = ASKED.flatMap((move) =>
    DOCUMENT_STATUSES.map((status) => ({ move, status, leads: LEADS[move][status] })),
  );

  it.each(cells.filter(({ leads }) => leads !== undefined))('$move: $status → $leads', async (cell) => {
    const id = await put({ status: cell.status });
    const outcome = await run(cell.move, [id]);
    expect(outcome.accepted.map((row) => row.id)).toEqual([id]);
    expect(outcome.rejected).toEqual([]);
    const row = await lab.row(member, id);
    if (cell.leads === 'gone') expect(row.deleted_at).toBeInstanceOf(Date);
    else expect(row.status).toBe(cell.leads);
    expect(await hasTask(id)).toBe(cell.leads === 'pending');
    expect(row.quarantined_at !== null).toBe(
      cell.leads === 'quarantined' || (cell.leads === 'gone' && cell.status === 'quarantined'),
    );
  });

  it.each(cells.filter(({ leads }) => leads === undefined))(
    '$move of a $status one is refused, and nothing changes',
    async ({ move, status }) => {
      const id = await put({ status });
      const before = { row: await lab.row(member, id), task: await hasTask(id) };
      const outcome = await run(move, [id]);
      expect(outcome.accepted).toEqual([]);
      expect(outcome.rejected).toMatchObject([{ id, error: { code: 'documents.illegal_state', status: 409 } }]);
      expect(outcome.rejected[0]!.error.message).toMatch(new RegExp(`^The document is ${status}, and only a `));
      expect({ row: await lab.row(member, id), task: await hasTask(id) }).toEqual(before);
      expect(await eventNames(id)).toEqual([]);
    },
  );
});

describe('cancel', () => {
  it('keeps the stage, clears the waiting reason, and is recorded in the timeline', async () => {
    const id = await put({ status: 'pending' });
    await lab.rows(member, `UPDATE documents SET waiting_reason = 'retry_backoff' WHERE id = $1`, [id]);
    await run('cancel', [id]);
    expect(await lab.row(member, id)).toMatchObject({
      status: 'cancelled',
      current_stage: 'chunking',
      waiting_reason: null,
      error: null,
    });
    expect(await eventNames(id)).toEqual(['cancelled']);
  });

  it('of a reingest returns to the shown generation, with its policy version', async () => {
    const id = await put({ status: 'processing', shown: true, policyVersion: 3, ingestedPolicyVersion: 1 });
    const generation = (await lab.row(member, id)).visible_generation;
    await run('cancel', [id]);
    expect(await lab.row(member, id)).toMatchObject({
      status: 'completed',
      current_stage: 'completed',
      progress: 100,
      policy_version: 1,
      visible_generation: generation,
      quarantined_at: null,
    });
    expect(await eventNames(id)).toEqual(['cancelled']);
    expect(await hasTask(id)).toBe(false);
  });

  it('of a new revision removes the revision with its file', async () => {
    const id = await put({ status: 'pending', shown: true, revision: 2 });
    const first = (await lab.row(member, id)).visible_revision_id;
    await run('cancel', [id]);
    expect(await lab.row(member, id)).toMatchObject({
      status: 'completed',
      revision: 1,
      revision_id: first,
      size_bytes: '100',
      sha256: 'sha-1',
    });
    const revisions = await lab.rows(member, `SELECT revision FROM document_revisions WHERE document_id = $1`, [id]);
    expect(revisions).toEqual([{ revision: 1 }]);
    const intents = await lab.systemRows(`SELECT kind FROM store_intents WHERE subject = $1`, [`blob-${id}-2`]);
    expect(intents).toEqual([{ kind: 'remove_blob' }]);
  });

  it('twice at once: one succeeds, the other is rejected because the document is already cancelled', async () => {
    const id = await put({ status: 'processing' });
    const both = await Promise.all([run('cancel', [id]), run('cancel', [id])]);
    expect(both.flatMap(({ accepted }) => accepted)).toHaveLength(1);
    const rejected = both.flatMap((outcome) => outcome.rejected);
    expect(rejected.map(({ error }) => error.message)).toEqual([expect.stringContaining('is cancelled')]);
    expect(await eventNames(id)).toEqual(['cancelled']);
  });
});

describe('a worker whose document was taken away', () => {
  const complete = (attempt: Attempt): Promise<ReadonlySet<string>> =>
    services.lifecycle.complete(member.ctx, {
      datasetId: dataset,
      results: [
        {
          attempt,
          chunkSetId: newId(),
          chunkCount: 1,
          tokenCount: 1,
          warnings: [],
          facts: null,
          metadataSeq: '0',
          policyVersion: 3,
          events: [{ event: 'completed' }],
        },
      ],
    });

  it.each(['cancel', 'quarantine', 'delete'] as const)('by %s can no longer complete it', async (move) => {
    const id = await put({ status: 'processing' });
    const attempt = await lab.attemptOf(member, id);
    await run(move, [id]);
    expect(await complete(attempt)).toEqual(new Set());
    await expect(services.lifecycle.guarded(member.ctx, attempt, async () => undefined)).rejects.toBeInstanceOf(
      AttemptEnded,
    );
    await expect(
      services.lifecycle.fail(member.ctx, attempt, { code: 'X', stage: 'parsing', retryable: true, message: '' }, []),
    ).rejects.toBeInstanceOf(AttemptEnded);
    expect((await lab.row(member, id)).visible_generation).toBeNull();
  });

  it.each(['cancel', 'quarantine'] as const)(
    '%s and completion at once end in one of the two, never both',
    async (move) => {
      const ended = { completed: 0, moved: 0 };
      for (let round = 0; round < 12; round += 1) {
        const id = await put({ status: 'processing' });
        const attempt = await lab.attemptOf(member, id);
        const [done, outcome] = await Promise.all([complete(attempt), run(move, [id])]);
        const { status, visible_generation: shown } = await lab.row(member, id);
        const names = await eventNames(id);
        const wasCompleted = done.has(id);
        expect(shown !== null).toBe(wasCompleted);
        expect(names.includes('completed')).toBe(wasCompleted);
        // A completed document can still be quarantined, but not cancelled.
        if (move === 'cancel') expect(outcome.accepted.length === 1).toBe(!wasCompleted);
        else expect(status).toBe('quarantined');
        if (move === 'cancel') expect(status).toBe(wasCompleted ? 'completed' : 'cancelled');
        expect(await hasTask(id)).toBe(false);
        if (wasCompleted) ended.completed += 1;
        else ended.moved += 1;
      }
      expect(ended.completed + ended.moved).toBe(12);
    },
  );
});

describe('retry, reingest and release', () => {
  it('retry begins another attempt under the same policy, and keeps the stage that failed', async () => {
    const id = await put({ status: 'failed', policyVersion: 2 });
    await run('retry', [id]);
    expect(await lab.row(member, id)).toMatchObject({
      attempt: 2,
      progress: 0,
      error: null,
      completed_at: null,
      policy_version: 2,
      current_stage: 'chunking',
    });
    expect(await lab.events(member, id)).toEqual([
      { event: 'retried', details: { code: 'BROKEN_FILE', stage: 'chunking' } },
      { event: 'queued', details: { attempt: 2 } },
    ]);
  });

  it('reingest uses the present policy and keeps the version of the shown chunks', async () => {
    const id = await put({ status: 'completed', policyVersion: 2 });
    const before = await lab.row(member, id);
    await run('reingest', [id]);
    expect(await lab.row(member, id)).toMatchObject({
      attempt: 2,
      progress: 0,
      current_stage: 'parsing',
      policy_version: 3,
      ingested_policy_version: 2,
      visible_revision: 1,
      visible_revision_id: before.revision_id,
      visible_generation: before.visible_generation,
      visible_chunk_set_id: before.visible_chunk_set_id,
    });
    expect(await lab.events(member, id)).toEqual([
      { event: 'reingest_requested', details: { from_policy_version: 2, to_policy_version: 3 } },
      { event: 'queued', details: { attempt: 2 } },
    ]);
    const [task] = await lab.systemRows(
      `SELECT priority, (payload ->> 'attempt')::int AS attempt, size_bytes FROM tasks WHERE id = $1`,
      [id],
    );
    expect(task).toEqual({ priority: 1, attempt: 2, size_bytes: '100' });
  });

  it('a document that is reingested twice keeps the version of the shown chunks', async () => {
    const id = await put({ status: 'completed', policyVersion: 2 });
    await run('reingest', [id]);
    await run('cancel', [id]);
    expect(await lab.row(member, id)).toMatchObject({ status: 'completed', policy_version: 2 });
    await run('reingest', [id]);
    expect(await lab.row(member, id)).toMatchObject({ policy_version: 3, ingested_policy_version: 2, attempt: 3 });
  });

  it('quarantine and release count as visible changes, retry and cancel do not', async () => {
    const id = await put({ status: 'completed' });
    const failed = await put({ status: 'failed' });
    const start = await contentSeq();
    await run('retry', [failed]);
    await run('cancel', [failed]);
    expect(await contentSeq()).toBe(start);
    await run('quarantine', [id]);
    expect((await lab.row(member, id)).visible_generation).not.toBeNull();
    await run('release', [id]);
    expect(await contentSeq()).toBe(start + 2);
    const [row] = await lab.rows<{ n: string }>(member, `SELECT visibility_seq AS n FROM documents WHERE id = $1`, [
      id,
    ]);
    expect(Number(row!.n)).toBe(start + 2);
    expect(await eventNames(id)).toEqual(['quarantined', 'released', 'queued']);
  });

  it('deletion records that the shown generation must be removed from the vector store', async () => {
    const id = await put({ status: 'completed' });
    await run('delete', [id]);
    const intents = await lab.systemRows(`SELECT kind FROM store_intents WHERE subject = $1`, [`${id}:7`]);
    expect(intents).toEqual([{ kind: 'remove_generation' }]);
  });
});

describe('many documents at once', () => {
  it('keep the order of the request, count repeated ids once, and are rejected each for its own reason', async () => {
    const [done, failed, pending] = [
      await put({ status: 'completed' }),
      await put({ status: 'failed' }),
      await put({ status: 'pending' }),
    ];
    const unknown = newId();
    const outcome = await run('retry', [pending, failed.toUpperCase(), unknown, done, failed, pending]);
    expect(outcome.accepted.map(({ id }) => id)).toEqual([failed]);
    expect(outcome.rejected.map(({ id, error }) => [id, error.code])).toEqual([
      [pending, 'documents.illegal_state'],
      [unknown, 'documents.not_found'],
      [done, 'documents.illegal_state'],
    ]);
  });

  it.each(ASKED)('%s does not find documents that its caller does not see', async (move) => {
    const owner = await createTestMember(db.unitOfWork, 'owner', member.tenantId);
    const foreigner = await createTestMember(db.unitOfWork, 'owner');
    const hidden = await lab.addDataset(owner, { acl: 'only_me' });
    const [from] = DOCUMENT_MOVES[move].from;
    const id = await lab.put(owner, hidden, { status: from });
    for (const who of [member, foreigner]) {
      const { accepted, rejected } = await run(move, [id], who);
      expect(accepted).toEqual([]);
      expect(rejected).toMatchObject([{ id, error: { code: 'documents.not_found' } }]);
    }
    expect((await run(move, [id], owner)).accepted).toHaveLength(1);
  });

  it('two batches over the same documents of two datasets do not deadlock', async () => {
    const other = await lab.addDataset(member);
    const ids: DocumentId[] = [];
    for (let n = 0; n < 20; n += 1)
      ids.push(await lab.put(member, n % 2 === 0 ? dataset : other, { status: 'completed' }));
    const [one, two] = await Promise.all([run('quarantine', ids), run('delete', ids.toReversed())]);
    expect(two.accepted).toHaveLength(20);
    expect(one.accepted.length + one.rejected.length).toBe(20);
  });
});
