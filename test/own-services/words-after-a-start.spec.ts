import { lstat, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { filesBelow } from '../support/files-below.js';
import { ingest } from '../support/fixtures.js';
import { useService } from '../support/service-process.js';

const SENTENCES = 24_000;
const TEXT = Array.from(
  { length: SENTENCES },
  (_, n) =>
    `Lamp ${n} of hall ${n % 97} is lit at dusk by the keeper of tower ${n % 13}, who notes its number ${n * 7}.`,
).join(' ');
const QUESTION = 'Who lights lamp 4711 of the hall?';

describe('words of a large dataset', () => {
  const service = useService({ settings: { EMBEDDING_MODEL: 'hashing-v1' } });
  const folder = (): string => join(service.process.folder, 'data', 'words');
  const files = async (): Promise<string[]> =>
    (await filesBelow(folder()).catch(() => [])).map((name) => join(folder(), name)).sort();
  const search = async (): Promise<unknown> => {
    const { results } = await service.admin.search(QUESTION, [dataset]);
    return results.map(({ chunk_id, score }: { chunk_id: string; score: number }) => [chunk_id, score]);
  };
  const logged = (from: number): string[] =>
    service.process.log.slice(from).filter((line) => line.includes('retrieval.words_not_'));
  let dataset: string;
  let document: string;
  let found: unknown;

  beforeAll(async () => {
    dataset = await service.admin.createDataset('Lamps');
    const { id, chunk_count: chunks } = await ingest(service.admin, dataset, { name: 'lamps.txt', content: TEXT });
    document = id;
    expect(chunks).toBeGreaterThan(1_000);
    found = await search();
  });

  it('are kept at a stop, for their owner alone, and found by the next start', async () => {
    await service.process.stop();
    const kept = await files();
    expect(kept.some((path) => path.endsWith('.words'))).toBe(true);
    expect(kept.some((path) => path.endsWith('.segment'))).toBe(true);
    for (const path of kept) expect((await lstat(path)).mode & 0o777).toBe(0o600);
    const before = await Promise.all(kept.map((path) => readFile(path)));
    const from = service.process.log.length;
    await service.process.start();
    expect(await search()).toEqual(found);
    await service.process.stop();
    // Nothing was counted, so nothing is written.
    expect(await files()).toEqual(kept);
    expect(await Promise.all(kept.map((path) => readFile(path)))).toEqual(before);
    expect(logged(from)).toEqual([]);
  });

  it('are counted where a file is broken, which is said once', async () => {
    const broken = (await files()).find((path) => path.endsWith('.words'))!;
    await truncate(broken, (await stat(broken)).size - 1);
    const from = service.process.log.length;
    await service.process.start();
    expect(await search()).toEqual(found);
    expect(logged(from)).toHaveLength(1);
  });

  it('are gone from the disk when their document is purged', async () => {
    await until(async () => (await files()).length > 1);
    await service.admin.send('DELETE', `/documents/${document}`);
    expect((await service.admin.send('POST', `/datasets/${dataset}/purge`)).status).toBe(202);
    await until(async () => (await files()).length === 0, { what: 'the removal of the files' });
  });
});
