import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatasetId, DocumentId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { eventsOver } from '../../../../libs/events/src/testing/events-over.js';
import { tasksOver } from '../../../../libs/tasks/src/testing/tasks-over.js';
import { createPolicyServices } from '../../ingestion-policy/testing/policy-services.js';
import { DocumentChangesRepository } from '../changes/document-changes.repository.js';
import { DocumentMovesRepository } from './document-moves.repository.js';
import { DocumentUpdatesService } from '../changes/document-updates.service.js';
import type { DocumentDetail } from './document.dto.js';
import { SelectedDocuments } from '../changes/selected-documents.repository.js';
import { StoreIntents } from '../intents/store-intents.repository.js';
import { createDocumentServices, DocumentLab } from '../testing/document-lab.js';
import { IntakeLab, type HandedFile } from '../testing/intake-lab.js';
import type { UploadOptions } from '../uploads/upload-options.js';

let db: TestDatabase;
let intakeLab: IntakeLab;
let lab: DocumentLab;
let services: ReturnType<typeof createDocumentServices>;
let updates: DocumentUpdatesService;
let member: TestMember;
let dataset: DatasetId;

beforeAll(async () => {
  db = await createTestDatabase();
  intakeLab = new IntakeLab(db.unitOfWork);
  lab = new DocumentLab(db.unitOfWork);
  services = createDocumentServices(db.unitOfWork);
  updates = new DocumentUpdatesService(
    new DocumentChangesRepository(db.unitOfWork, new StoreIntents(db.unitOfWork, tasksOver(db.unitOfWork))),
    new DocumentMovesRepository(db.unitOfWork, services.access),
    new SelectedDocuments(db.unitOfWork, services.access),
    createPolicyServices(db.unitOfWork).policies,
    { quarantine: () => Promise.resolve() },
    eventsOver(db.unitOfWork),
    db.unitOfWork,
  );
});
afterAll(() => db.close());
beforeEach(async () => {
  member = await createTestMember(db.unitOfWork, 'editor');
  dataset = await addDataset();
});

const REVISE = { onSameName: 'new_revision' } as const;
const handbook = (content: string, path?: string): HandedFile => ({
  name: 'handbook.md',
  content,
  ...(path === undefined ? {} : { path }),
});
async function addDataset(): Promise<DatasetId> {
  const id = await lab.addDataset(member);
  await intakeLab.writePolicy(member, id, 1);
  return id;
}
const take = async (file: HandedFile, options: Partial<UploadOptions> = {}, to = dataset): Promise<DocumentDetail> =>
  (await intakeLab.take(member, to, file, options)).document;
const namesakeOf = async (id: string) => (await lab.row(member, id as DocumentId)).same_name_id;

describe('a file with the name of a document of the dataset but another content', () => {
  it('becomes another document whose warning names the earlier one (13-same-name-new-content)', async () => {
    const folder = new URL('../../../../test/fixtures/field/13-same-name-new-content/', import.meta.url);
    const content = (version: string) => readFile(new URL(`${version}/handbook.md`, folder), 'utf8');
    const first = await take(handbook(await content('v1')));
    expect(first.warnings).toEqual([]);
    const second = await take(handbook(await content('v2')));
    expect(second).toMatchObject({ revision: 1, name: 'handbook.md', path: null });
    expect(second.id).not.toBe(first.id);
    expect(second.warnings).toEqual([
      { code: 'SAME_NAME', detail: expect.stringContaining(first.id), document_id: first.id },
    ]);
    expect(await namesakeOf(second.id)).toBe(first.id);
  });

  it('becomes the next revision where the upload says so', async () => {
    const first = await take(handbook('120 euros'));
    const second = await take(handbook('145 euros'), REVISE);
    expect(second).toMatchObject({ id: first.id, revision: 2, warnings: [] });
  });

  it('becomes the next revision where the dataset says so, unless the upload says otherwise', async () => {
    await lab.rows(member, `UPDATE datasets SET on_same_name = 'new_revision' WHERE id = $1 RETURNING id`, [dataset]);
    const first = await take(handbook('120 euros'));
    expect(await take(handbook('145 euros'))).toMatchObject({ id: first.id, revision: 2 });
    const beside = await take(handbook('150 euros'), { onSameName: 'keep_both' });
    expect(beside).toMatchObject({ revision: 1, warnings: [{ code: 'SAME_NAME', document_id: first.id }] });
  });

  it('names the newest earlier document, or becomes its next revision', async () => {
    await take(handbook('one'));
    const second = await take(handbook('two'));
    const third = await take(handbook('three'));
    expect(third.warnings).toMatchObject([{ document_id: second.id }]);
    expect(await take(handbook('four'), REVISE)).toMatchObject({ id: third.id, revision: 2 });
  });

  it('is also compared with earlier files of the same form', async () => {
    const kept = await intakeLab.takeAll(member, dataset, [handbook('one'), handbook('two')]);
    expect(kept[1]!.document.warnings).toMatchObject([{ document_id: kept[0]!.document.id }]);
    const other = await addDataset();
    const revised = await intakeLab.takeAll(member, other, [handbook('one'), handbook('two')], REVISE);
    expect(revised.map(({ document }) => document.revision)).toEqual([1, 2]);
    expect(revised[1]!.document.id).toBe(revised[0]!.document.id);
  });

  it('becomes one document with several revisions when several senders upload at once', async () => {
    const contents = ['a', 'b', 'c', 'd', 'e'];
    const taken = await Promise.all(contents.map((content) => take(handbook(content), REVISE)));
    expect(new Set(taken.map(({ id }) => id)).size).toBe(1);
    expect(taken.map(({ revision }) => revision).toSorted()).toEqual([1, 2, 3, 4, 5]);
  });

  it('becomes several documents, all but the first with the warning, when several senders keep both at once', async () => {
    const contents = ['a', 'b', 'c', 'd'];
    const taken = await Promise.all(contents.map((content) => take(handbook(content))));
    expect(taken.filter(({ warnings }) => warnings.length === 0)).toHaveLength(1);
    for (const { id, warnings } of taken) {
      for (const { document_id: other } of warnings) {
        expect(taken.map((one) => one.id).filter((one) => one !== id)).toContain(other);
      }
    }
  });
});

describe('equal content takes precedence over equal names', () => {
  it('by `on_duplicate`, whatever `on_same_name` says', async () => {
    const first = await take(handbook('120 euros'));
    await expect(take(handbook('120 euros'), REVISE)).rejects.toMatchObject({ code: 'documents.duplicate' });
    const skipped = await intakeLab.take(member, dataset, handbook('120 euros'), { ...REVISE, onDuplicate: 'skip' });
    expect(skipped).toMatchObject({ status: 200, isKept: false, document: { id: first.id, revision: 1 } });
    const kept = await take(handbook('120 euros'), { ...REVISE, onDuplicate: 'keep_both' });
    expect(kept).toMatchObject({ revision: 1, warnings: [{ document_id: first.id }] });
    expect(kept.id).not.toBe(first.id);
  });

  it('and `on_duplicate: new_revision` still uses the name if no content is equal', async () => {
    const first = await take(handbook('120 euros'));
    const second = await take(handbook('145 euros'), { onDuplicate: 'new_revision', onSameName: 'keep_both' });
    expect(second).toMatchObject({ id: first.id, revision: 2 });
  });
});

describe('paths', () => {
  it('distinguish files with the same name in different folders', async () => {
    const one = await take(handbook('one', 'travel/handbook.md'), REVISE);
    const two = await take(handbook('two', 'people/handbook.md'), REVISE);
    const bare = await take(handbook('three'), REVISE);
    expect(new Set([one.id, two.id, bare.id]).size).toBe(3);
    expect([one, two, bare].map(({ path, warnings }) => ({ path, warnings }))).toEqual([
      { path: 'travel/handbook.md', warnings: [] },
      { path: 'people/handbook.md', warnings: [] },
      { path: null, warnings: [] },
    ]);
    expect(await take(handbook('one more', 'travel/handbook.md'), REVISE)).toMatchObject({ id: one.id, revision: 2 });
  });

  it('stay if a revision sends none, and are replaced by a revision that does', async () => {
    const { id } = await take(handbook('one', 'travel/handbook.md'));
    const options = { onDuplicate: 'new_revision' } as const;
    expect(await take({ name: 'handbook.md', content: 'one' }, options)).toMatchObject({
      id,
      path: 'travel/handbook.md',
    });
    const moved = await take(handbook('one', 'people/handbook.md'), options);
    expect(moved).toMatchObject({ id, path: 'people/handbook.md', revision: 3 });
    const row = await lab.row(member, id as DocumentId);
    expect(row.metadata_seq).not.toBe(row.stored_metadata_seq);
  });

  it('may be longer than an index entry can be', async () => {
    const path = `${'é'.repeat(1_000)}/handbook.md`;
    const { id } = await take(handbook('one', path));
    expect(await take(handbook('two', path), REVISE)).toMatchObject({ id, path, revision: 2 });
  });
});

describe('the warning SAME_NAME', () => {
  const twice = async () => {
    const former = await take(handbook('one'), { onDuplicate: 'keep_both' });
    return { former: former.id, later: (await take(handbook('two'), { onDuplicate: 'keep_both' })).id };
  };

  it('is removed when the other document is deleted', async () => {
    const { former, later } = await twice();
    await services.transitions.delete(member.ctx, [former]);
    expect(await namesakeOf(later)).toBeNull();
  });

  it('is removed when one of the two is renamed, and by no other change', async () => {
    const first = await twice();
    await updates.update(member.ctx, first.later, { tags: ['x'] });
    expect(await namesakeOf(first.later)).toBe(first.former);
    await updates.update(member.ctx, first.former, { name: 'former.md' });
    expect(await namesakeOf(first.later)).toBeNull();
    await updates.update(member.ctx, first.later, { name: 'later.md' });
    const second = await twice();
    await updates.update(member.ctx, second.later, { name: 'last.md' });
    expect(await namesakeOf(second.later)).toBeNull();
  });

  it('ignores other datasets, deleted documents and other tenants', async () => {
    await take(handbook('elsewhere'), {}, await addDataset());
    const { id: gone } = await take(handbook('gone'));
    await services.transitions.delete(member.ctx, [gone]);
    const stranger = await createTestMember(db.unitOfWork, 'editor');
    const theirs = await lab.addDataset(stranger);
    await intakeLab.writePolicy(stranger, theirs, 1);
    await intakeLab.take(stranger, theirs, handbook('theirs'));
    expect((await take(handbook('mine'))).warnings).toEqual([]);
  });
});

describe('a policy that masks', () => {
  beforeEach(async () => {
    await lab.rows(member, `UPDATE datasets SET policy_version = 2 WHERE id = $1 RETURNING id`, [dataset]);
    await intakeLab.writePolicy(member, dataset, 2, {
      detectors: [{ entity_type: 'email', action: 'mask', min_score: 0.5 }],
    });
  });

  it('masks paths too, in the document and in the warning', async () => {
    const first = await take(handbook('one', 'anna@example.org/handbook.md'));
    expect(first.path).toMatch(/^█+\/handbook\.md$/);
    const second = await take(handbook('two', 'otto@example.org/handbook.md'));
    expect(JSON.stringify(second)).not.toContain('example.org');
  });

  it('lets no file replace another one that only has the same masked name', async () => {
    const first = await take(handbook('one', 'anna@example.org/handbook.md'), REVISE);
    const second = await take(handbook('two', 'otto@example.org/handbook.md'), REVISE);
    expect(second.id).not.toBe(first.id);
    expect(second.warnings).toMatchObject([{ code: 'SAME_NAME', document_id: first.id }]);
  });
});
