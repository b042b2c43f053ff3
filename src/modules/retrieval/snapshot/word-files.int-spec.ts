import { randomUUID } from 'node:crypto';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createModels } from '#libs/ai';
import { finish, type DatasetId, type DocumentId } from '#libs/common';
import { analyzeQuery, KeywordScorer, LEGS, queryHashes } from '#libs/ranking';
import type { StorageSpace } from '#libs/storage-space';
import {
  BUILTIN_MODELS,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from '#libs/testing';
import { ShownContentRepository } from '../../content/index.js';
import { DatasetAccess } from '../../datasets/index.js';
import { DatasetContentsCache } from './dataset-contents-cache.service.js';
import type { DatasetContents, HeldDataset } from './held-dataset.js';
import { PostingScores } from '../postings/posting-scores.js';
import { PostingsKeeper } from '../postings/postings-keeper.service.js';
import { PostingsRepository } from '../postings/postings.repository.js';
import { TermStatisticsRepository } from '../rows/term-statistics.repository.js';
import { MemoryVectorStore } from '../testing/memory-vector-store.js';
import { RetrievalLibrary } from '../testing/retrieval-library.js';
import { DroppedWords } from './dropped-words.service.js';
import { sealContents } from './kept-contents.js';
import { WordFilesUpkeep } from './word-files-upkeep.service.js';
import { WordFiles } from './word-files.service.js';

const WORDS = ['pump', 'valve', 'seal', 'gauge', '合同'];
const HASHES = WORDS.map((word) => analyzeQuery(word).words[0]!.hash);
const MEBIBYTE = 1_048_576;
const NEVER = new AbortController().signal;

/** A process: what it has in memory, and its way to the files. */
interface Process {
  readonly contents: DatasetContentsCache;
  readonly files: WordFiles;
  readonly upkeep: WordFilesUpkeep;
  /** Chunk sets whose words it has counted. */
  readonly counted: string[];
  /** Chunk sets of which it has made postings. */
  readonly posted: string[];
}

describe('WordFiles', () => {
  let db: TestDatabase;
  let library: RetrievalLibrary;
  let member: TestMember;
  let dataset: DatasetId;
  let folder: string;
  let isSpaceLow = false;

  beforeAll(async () => {
    db = await createTestDatabase();
    const { embedder } = await createModels(BUILTIN_MODELS);
    library = new RetrievalLibrary(db.unitOfWork, new MemoryVectorStore(), embedder);
  });
  afterAll(async () => db.close());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-words-'));
    member = await createTestMember(db.unitOfWork);
    dataset = await library.addDataset(member);
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  const start = (maxBytes = MEBIBYTE): Process => {
    const repository = new TermStatisticsRepository(db.unitOfWork, new ShownContentRepository(db.unitOfWork));
    const counted: string[] = [];
    const listed = repository.listSummaries.bind(repository);
    vi.spyOn(repository, 'listSummaries').mockImplementation(async (ctx, sets) => {
      counted.push(...sets);
      return listed(ctx, sets);
    });
    const space = { isLow: async () => Promise.resolve(isSpaceLow) } as unknown as StorageSpace;
    const files = new WordFiles(join(folder, 'words'), maxBytes);
    const chunks = new PostingsRepository(db.unitOfWork);
    const posted: string[] = [];
    const read = chunks.readChunks.bind(chunks);
    vi.spyOn(chunks, 'readChunks').mockImplementation((ctx, sizes) => {
      posted.push(...sizes.keys());
      return read(ctx, sizes);
    });
    const keeper = new PostingsKeeper(chunks, MEBIBYTE);
    const contents = new DatasetContentsCache(repository, keeper, files);
    return { contents, files, upkeep: new WordFilesUpkeep(files, contents, repository, space), counted, posted };
  };
  const ask = async ({ contents }: Process, id = dataset, by = member): Promise<DatasetContents> => {
    const datasets = await new DatasetAccess(db.unitOfWork).requireAllVisible(by.ctx, [id]);
    return (await contents.load(by.ctx, datasets))[0]!;
  };
  const keep = async ({ upkeep }: Process): Promise<void> => upkeep.run(NEVER, 1);
  const scoresOf = ({ statistics, counted, postings }: DatasetContents): unknown => {
    const query = analyzeQuery(WORDS.join(' '));
    return new PostingScores(postings!, counted, new KeywordScorer(query, statistics), queryHashes(query)).best(100);
  };
  const figuresOf = (contents: DatasetContents): unknown => ({
    ...countsOf(contents),
    scores: scoresOf(contents),
  });
  const countsOf = ({ statistics, counted, seq }: DatasetContents): object => ({
    chunks: statistics.chunkCount,
    postings: statistics.postingCount,
    lengths: LEGS.map((leg) => statistics.averageLength(leg)),
    frequencies: HASHES.map((hash) => statistics.df(hash)),
    documents: [...counted].sort(),
    seq,
  });
  /** What a process without files counts. */
  const truth = async (): Promise<unknown> => {
    const empty = folder;
    folder = join(folder, 'no');
    try {
      return figuresOf(await ask(start()));
    } finally {
      folder = empty;
    }
  };
  const pathOf = (id = dataset, by = member): string => join(folder, 'words', by.tenantId, `${id}.analysis-1.words`);
  const segments = async (): Promise<string[]> => {
    const names = await readdir(join(folder, 'words', member.tenantId));
    return names
      .filter((name) => name.startsWith(dataset) && name.endsWith('.segment'))
      .map((name) => join(folder, 'words', member.tenantId, name));
  };
  const isThere = async (path = pathOf()): Promise<boolean> =>
    stat(path).then(
      () => true,
      () => false,
    );
  const add = async (...texts: string[]): Promise<DocumentId> => library.addDocument(member, dataset, { texts });
  const drop = async (document: DocumentId): Promise<void> => {
    await library.change(member, document, 'deleted_at = now()');
  };
  const purge = async (document: DocumentId): Promise<void> => {
    await library.run(member, (manager) => manager.query(`DELETE FROM documents WHERE id = $1`, [document]));
  };
  /** A process has asked and kept the words, and ended. */
  const filled = async (...texts: string[]): Promise<DocumentId> => {
    const document = await add(...texts);
    const first = start();
    await ask(first);
    await keep(first);
    return document;
  };

  describe('after a start', () => {
    it('nothing is counted again that was counted before', async () => {
      await filled('pump valve', '合同 seal');
      const second = start();
      expect(figuresOf(await ask(second))).toEqual(await truth());
      expect([second.counted, second.posted]).toEqual([[], []]);
    });

    it('only what came, went or changed since is counted', async () => {
      const replaced = await add('gauge');
      const gone = await filled('pump valve');
      const set = await library.showTexts(member, replaced, ['seal']);
      await add('valve');
      await drop(gone);
      const second = start();
      expect(figuresOf(await ask(second))).toEqual(await truth());
      expect(second.counted).toContain(set);
      expect(second.counted).toHaveLength(4);
      expect(second.posted).toContain(set);
      expect(second.posted).toHaveLength(2);
    });

    it('a file of documents that were purged since it was written makes no difference', async () => {
      const gone = await filled('pump valve');
      await add('seal');
      await drop(gone);
      await purge(gone);
      expect(figuresOf(await ask(start()))).toEqual(await truth());
    });

    it('a file of a database that is no longer what it was makes no difference, whatever its numbers say', async () => {
      const gone = await filled('pump valve');
      await library.run(member, async (manager) => {
        await manager.query(`DELETE FROM documents WHERE id = $1`, [gone]);
        await manager.query(`UPDATE datasets SET content_seq = 0 WHERE id = $1`, [dataset]);
      });
      await add('seal');
      expect(figuresOf(await ask(start()))).toEqual(await truth());
    });

    it('postings of which a part is missing or broken are made again', async () => {
      await filled('pump valve', 'seal');
      const [segment] = await segments();
      const bytes = await readFile(segment!);
      await writeFile(segment!, bytes.subarray(0, bytes.length - 1));
      const second = start();
      expect(figuresOf(await ask(second))).toEqual(await truth());
      expect(second.posted).toHaveLength(1);
      expect(await segments()).toEqual([]);
      await keep(second);
      await rm((await segments())[0]!);
      const third = start();
      expect(figuresOf(await ask(third))).toEqual(await truth());
      expect(third.posted).toHaveLength(1);
    });

    it.each([
      ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 7)],
      ['empty', () => Buffer.alloc(0)],
      ['changed in one bit', (bytes: Buffer) => ((bytes[bytes.length - 40]! ^= 1), bytes)],
      ['something else', () => Buffer.from('a'.repeat(4_000))],
    ])('a file that is %s is counted again, and written again', async (_, spoil) => {
      await filled('pump valve', 'seal');
      await writeFile(pathOf(), spoil(await readFile(pathOf())));
      const second = start();
      expect(figuresOf(await ask(second))).toEqual(await truth());
      expect(second.counted).toHaveLength(1);
      await keep(second);
      const third = start();
      await ask(third);
      expect(third.counted).toEqual([]);
    });

    it('the file of another dataset, or of another tenant, is not used', async () => {
      await filled('pump valve');
      const other = await library.addDataset(member);
      await rename(pathOf(), pathOf(other));
      const second = start();
      expect((await ask(second, other)).statistics.chunkCount).toBe(0);
      expect(await isThere(pathOf(other))).toBe(false);
    });

    it('a file that another analysis made is not used, and removed after a while', async () => {
      await filled('pump valve');
      const foreign = pathOf().replace('analysis-1', 'analysis-0');
      await rename(pathOf(), foreign);
      const second = start();
      await ask(second);
      expect(second.counted).toHaveLength(1);
      await keep(second);
      expect(await isThere(foreign)).toBe(true);
      await utimes(foreign, 0, 0);
      await keep(second);
      expect(await isThere(foreign)).toBe(false);
    });
  });

  describe('on the disk', () => {
    it('are for their owner alone, and whole under their name or not there', async () => {
      await filled('pump valve');
      expect((await stat(pathOf())).mode & 0o777).toBe(0o600);
      expect((await stat(join(folder, 'words', member.tenantId))).mode & 0o777).toBe(0o700);
      const names = await readdir(join(folder, 'words', member.tenantId));
      expect(names.map((name) => name.split('.').at(-1)).sort()).toEqual(['segment', 'words']);
      for (const one of await segments()) expect((await stat(one)).mode & 0o777).toBe(0o600);
    });

    it('hold no word that the dataset shows no longer after the next round', async () => {
      const stays = await add('seal');
      const gone = await filled('pump valve');
      const [second, third] = [start(), start()];
      await ask(second);
      await drop(gone);
      await keep(second);
      const held = (await third.files.read({ tenantId: member.tenantId, datasetId: dataset }))!;
      expect(HASHES.map((hash) => held.statistics.df(hash))).toEqual([0, 0, 1, 0, 0]);
      expect(held.counted.has(gone)).toBe(false);
      const kept = (await third.files.readPostings({ tenantId: member.tenantId, datasetId: dataset }))!;
      expect([...kept.documents.keys()]).toEqual([stays]);
      const words = kept.segments.flatMap(({ postings }) => [...postings.words.hashes]);
      expect(HASHES.map((hash) => words.includes(hash))).toEqual([false, false, true, false, false]);
      expect(await segments()).toHaveLength(kept.segments.length);
    });

    it('are written again only where they changed', async () => {
      await filled('pump valve');
      const second = start();
      await ask(second);
      const before = await segments();
      await keep(second);
      expect(await segments()).toEqual(before);
      await add(...Array.from({ length: 3 }, () => 'seal'));
      await add('gauge');
      await ask(second);
      await keep(second);
      const third = start();
      expect(figuresOf(await ask(third))).toEqual(await truth());
      expect([third.counted, third.posted]).toEqual([[], []]);
    });

    it('are statistics alone where there is no room for postings, or no time', async () => {
      await add('pump valve');
      const first = start(2_500);
      await ask(first);
      await keep(first);
      expect([await isThere(), await segments()]).toEqual([true, []]);
      const second = start();
      await ask(second);
      await second.upkeep.run(AbortSignal.abort(), 1);
      expect([await isThere(), await segments()]).toEqual([true, []]);
      await keep(second);
      expect(await segments()).toHaveLength(1);
    });

    it('go when the dataset changed, where no one holds it any more; another process has some minutes for it', async () => {
      await filled('pump valve');
      await add('seal');
      const second = start();
      await keep(second);
      expect(await isThere()).toBe(true);
      await utimes(pathOf(), new Date(Date.now() - 301_000), new Date(Date.now() - 301_000));
      await keep(second);
      expect(await isThere()).toBe(false);
    });

    it('go when a dataset changed that no search has asked for an hour', async () => {
      await filled('pump valve');
      const second = start();
      const held = (await ask(second)) as HeldDataset;
      await add('seal');
      held.usedAt -= 3_600_001;
      await keep(second);
      expect(await isThere()).toBe(false);
      expect(second.counted).toEqual([]);
    });

    it('go with a purge, with the dataset, and with the tenant', async () => {
      const { tenantId } = member;
      const payload = { dataset_id: dataset };
      await filled('pump valve');
      const second = start();
      const dropped = new DroppedWords(second.files);
      await dropped.afterPurge(member.ctx, { payload } as unknown as Parameters<DroppedWords['afterPurge']>[1]);
      expect(await isThere()).toBe(false);
      await ask(second);
      await keep(second);
      expect(await isThere()).toBe(true);
      await dropped.afterDeletion(member.ctx, { payload } as unknown as Parameters<DroppedWords['afterDeletion']>[1]);
      expect(await isThere()).toBe(false);
      await keep(second);
      await library.run(member, (manager) =>
        manager.query(`UPDATE datasets SET deleted_at = now() WHERE id = $1`, [dataset]),
      );
      await keep(start());
      expect(await readdir(join(folder, 'words', tenantId))).toEqual([]);
    });

    it('of two processes do not hurt each other', async () => {
      await add('pump valve');
      const [one, other] = [start(), start()];
      await Promise.all([ask(one), ask(other)]);
      await Promise.all([keep(one), keep(other), keep(one)]);
      await add('seal');
      await Promise.all([keep(other), keep(one), ask(start()), keep(other)]);
      const third = start();
      expect(figuresOf(await ask(third))).toEqual(await truth());
      expect(third.counted).toEqual([]);
    });

    it('take no more than they may: those of datasets that no one holds go first', async () => {
      await filled('pump valve');
      const { size } = await stat(pathOf());
      const first = pathOf();
      dataset = await library.addDataset(member);
      await add('pump valve');
      const second = start(size + 2_048);
      await ask(second);
      await keep(second);
      expect([await isThere(first), await isThere()]).toEqual([false, true]);
      dataset = await library.addDataset(member);
      await add('pump valve');
      await ask(second);
      await keep(second);
      expect(await isThere()).toBe(false);
    });

    it('follow their datasets whatever else lies beside them', async () => {
      await filled('pump valve');
      const words = join(folder, 'words');
      const broken = join(words, randomUUID());
      await mkdir(join(words, 'lost+found'), { mode: 0 });
      await writeFile(join(words, 'README'), 'of somebody else');
      await mkdir(join(words, member.tenantId, 'left'));
      await utimes(join(words, member.tenantId, 'left'), 0, 0);
      await writeFile(join(words, member.tenantId, 'no-id.analysis-1.words'), 'x');
      await mkdir(broken);
      await copyFile(pathOf(), join(broken, `${randomUUID()}.analysis-1.words`));
      const head = await readFile(pathOf(), 'latin1');
      const other = join(words, member.tenantId, `${randomUUID()}.analysis-1.words`);
      await writeFile(other, head.replace(/"seq":"\d/, '"seq":"x'), 'latin1');
      const second = start();
      await ask(second);
      await add('seal');
      await keep(second);
      await ask(second);
      await keep(second);
      const third = start();
      expect(figuresOf(await ask(third))).toEqual(await truth());
      expect(third.counted).toEqual([]);
      expect(await isThere(other)).toBe(false);
    });

    it('are left as they are while postings are read from them', async () => {
      await filled('pump valve');
      const before = await segments();
      const second = start();
      await add('seal');
      await ask(second);
      vi.spyOn(second.contents, 'isMakingPostings').mockReturnValue(true);
      await keep(second);
      expect(await segments()).toEqual(before);
      vi.mocked(second.contents.isMakingPostings).mockRestore();
      await keep(second);
      expect(await segments()).not.toEqual(before);
    });

    it('are not written while space is low, and give theirs back', async () => {
      await filled('pump valve');
      const second = start();
      await ask(second);
      await add('seal');
      isSpaceLow = true;
      await keep(second);
      expect(await isThere()).toBe(false);
      expect(await segments()).toEqual([]);
      isSpaceLow = false;
      await keep(second);
      expect(await isThere()).toBe(true);
    });

    it('hold up no stop while what changed is counted', async () => {
      await filled('pump valve');
      const second = start();
      await ask(second);
      await add('seal');
      const stop = new AbortController();
      vi.spyOn(second.contents, 'follow').mockImplementation(() => {
        stop.abort();
        return new Promise(() => undefined);
      });
      await second.upkeep.run(stop.signal, 1);
      expect(await isThere()).toBe(false);
    });

    it('go when what changed cannot be counted', async () => {
      await filled('pump valve');
      const second = start();
      await ask(second);
      await add('seal');
      vi.spyOn(second.contents, 'follow').mockRejectedValue(new Error('away'));
      await keep(second);
      expect(await isThere()).toBe(false);
    });

    it('are not written of few chunks', async () => {
      await add('pump valve');
      const first = start();
      await ask(first);
      await first.upkeep.run(NEVER);
      expect(await isThere()).toBe(false);
    });

    it('are done without where the folder takes none', async () => {
      await writeFile(join(folder, 'words'), 'a file in its place');
      await filled('pump valve');
      const second = start();
      expect(figuresOf(await ask(second))).toEqual(await truth());
      await rm(join(folder, 'words'));
      await chmod(folder, 0o700);
    });
  });

  it('are not written of contents that change while they are written', async () => {
    await add('pump valve');
    const first = start();
    const held = (await ask(first)) as HeldDataset;
    const steps = sealContents({ tenantId: member.tenantId, datasetId: dataset }, held, []);
    steps.next();
    held.seq += 1n;
    expect(finish(steps)).toBeUndefined();
  });
});
