import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModels } from '#libs/ai';
import type { DatasetId, DocumentId } from '#libs/common';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import type { RequestContext } from '#libs/tenancy';
import { MemoryVectorStore } from '../../retrieval/testing/memory-vector-store.js';
import { DatasetAccess } from '../../datasets/index.js';
import { RetrievalLibrary } from '../../retrieval/testing/retrieval-library.js';
import { ShownDocumentsRepository } from './shown-documents.repository.js';

describe('documents that a chat names', () => {
  let db: TestDatabase;
  let owner: TestMember;
  let colleague: TestMember;
  let stranger: TestMember;
  let library: RetrievalLibrary;
  let documents: ShownDocumentsRepository;
  let team: DatasetId;
  let mine: DatasetId;
  let foreign: DatasetId;
  let shown: DocumentId;

  beforeAll(async () => {
    db = await createTestDatabase();
    const { embedder } = await createModels({ embedding: 'builtin', rerank: 'builtin', chat: 'builtin' });
    library = new RetrievalLibrary(db.unitOfWork, new MemoryVectorStore(), embedder);
    documents = new ShownDocumentsRepository(db.unitOfWork, new DatasetAccess(db.unitOfWork));
    owner = await createTestMember(db.unitOfWork, 'owner');
    colleague = await createTestMember(db.unitOfWork, 'editor', owner.tenantId);
    stranger = await createTestMember(db.unitOfWork, 'owner');
    team = await library.addDataset(owner, 'all_team_members');
    mine = await library.addDataset(owner, 'only_me');
    foreign = await library.addDataset(stranger, 'all_team_members');
    const add = (of: TestMember, dataset: DatasetId, name: string, texts = [`About ${name}.`]): Promise<DocumentId> =>
      library.addDocument(of, dataset, { name, texts });
    shown = await add(owner, team, 'b shown.txt', ['First chunk.', 'Second chunk.']);
    await add(owner, team, 'a shown.txt');
    await add(owner, mine, 'c mine.txt');
    await add(stranger, foreign, 'd foreign.txt');
    await add(owner, team, 'e empty.txt', []);
    const gone = [
      ['f deleted.txt', 'deleted_at = now()'],
      ['g quarantined.txt', `quarantined_at = now()`],
      ['h waits.txt', 'visible_chunk_set_id = NULL, visible_generation = NULL'],
    ] as const;
    for (const [name, change] of gone) await library.change(owner, await add(owner, team, name), change);
  });
  afterAll(() => db.close());

  const listed = async ({ ctx }: { readonly ctx: RequestContext }, datasets: readonly DatasetId[]): Promise<string[]> =>
    (await documents.list(ctx, datasets, undefined, 50)).map(({ name }) => name);
  const all = (): DatasetId[] => [team, mine, foreign];

  it('are those that the caller sees, completed, neither deleted nor in quarantine, with a text', async () => {
    expect(await listed(owner, all())).toEqual(['a shown.txt', 'b shown.txt', 'c mine.txt']);
    expect(await listed(colleague, all())).toEqual(['a shown.txt', 'b shown.txt']);
    expect(await listed(stranger, all())).toEqual(['d foreign.txt']);
    expect(await listed(owner, [mine])).toEqual(['c mine.txt']);
    const names = async (one: TestMember): Promise<string[]> =>
      (await documents.listNames(one.ctx, all(), 50)).map(({ name }) => name);
    expect(await names(owner)).toEqual(['a shown.txt', 'b shown.txt', 'c mine.txt']);
    expect(await names(colleague)).toEqual(['a shown.txt', 'b shown.txt']);
    expect(await names(stranger)).toEqual(['d foreign.txt']);
  });

  it('are listed page by page', async () => {
    const first = await documents.list(owner.ctx, all(), undefined, 2);
    expect(first.map(({ name }) => name)).toEqual(['a shown.txt', 'b shown.txt']);
    const second = await documents.list(owner.ctx, all(), first.at(-1), 2);
    expect(second.map(({ name }) => name)).toEqual(['c mine.txt']);
  });

  it('show their first chunk, and all of them to anyone who sees them', async () => {
    const [, one] = await documents.list(owner.ctx, [team], undefined, 5);
    expect(one).toMatchObject({ id: shown, body: 'First chunk.', text_start: '0', revision: 1, dataset_id: team });
    const chunks = await documents.listChunks(colleague.ctx, [team], shown, 9);
    expect(chunks.map(({ body, text_start }) => [body, Number(text_start)])).toEqual([
      ['First chunk.', 0],
      ['Second chunk.', 14],
    ]);
    expect(await documents.listChunks(stranger.ctx, all(), shown, 9)).toEqual([]);
    expect(await documents.listChunks(owner.ctx, [mine], shown, 9)).toEqual([]);
  });

  it('are gone at the moment at which they are put into quarantine', async () => {
    await library.change(owner, shown, 'quarantined_at = now()');
    expect(await listed(owner, all())).toEqual(['a shown.txt', 'c mine.txt']);
    expect(await documents.listChunks(owner.ctx, [team], shown, 9)).toEqual([]);
    await library.change(owner, shown, 'quarantined_at = NULL');
  });
});
