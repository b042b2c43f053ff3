import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ingestArchive, partsOf, zipOf, type ArchiveRecord } from '../support/archive-files.js';
import type { Page } from '../support/api-client.js';
import { expectInvalid } from '../support/problem.js';
import { useTenant } from '../support/shared-service.js';

const HANDBOOK = {
  'pumps/service.md': '# Pumps\n\nThe pump of the north house is serviced in May.',
  'fans/service.md': '# Fans\n\nThe fan of the attic is cleaned by hand.',
  'broken.pdf': '%PDF-1.4\nThis is none.',
};
const OTHER = { 'other.md': 'The pump of the south house is serviced in July, and the pump of the west house, too.' };
const QUESTION = 'When is the pump of the north house serviced?';

interface Explanation {
  readonly verdict: string;
  readonly code: string;
  readonly evidence: {
    readonly document: { readonly document_id: string; readonly path: string; readonly archive_id: string } | null;
    readonly expected_chunks: number;
  };
  readonly stages: readonly { readonly stage: string; readonly outcome: string; readonly rank: number | null }[];
}
interface Job {
  readonly id: string;
  readonly status: string;
}
interface Result {
  readonly metrics: Readonly<Record<string, number>>;
  readonly miss: { readonly code: string } | null;
}

const service = useTenant();
let dataset: string;
let archive: ArchiveRecord;
let parts: ReadonlyMap<string, ArchiveRecord>;
beforeAll(async () => {
  dataset = await service.admin.createDataset('Handbooks');
  archive = await ingestArchive(service.admin, dataset, zipOf(HANDBOOK));
  await ingestArchive(service.admin, dataset, zipOf(OTHER), {}, 'other.zip');
  parts = await partsOf(service.admin, archive.id);
});

const explain = async (expected: object, body: object = {}): Promise<Explanation> =>
  service.admin.post('/retrieval/explain', { query: QUESTION, dataset_ids: [dataset], expected, ...body });

describe('an archive that was expected', () => {
  it('is found where one of its files is', async () => {
    const answer = await explain({ document_id: archive.id });
    expect(answer).toMatchObject({ verdict: 'retrieved', code: 'RETRIEVED' });
    const file = parts.get('pumps/service.md')!;
    expect(answer.evidence.document).toMatchObject({
      document_id: file.id,
      path: 'pumps/service.md',
      archive_id: archive.id,
    });
    expect(answer.evidence.expected_chunks).toBe(2);
  });

  it('is explained by the file that got furthest', async () => {
    const filters = { type: 'eq', key: 'path', value: 'other.md' };
    expect(await explain({ document_id: archive.id }, { filters })).toMatchObject({
      code: 'METADATA_FILTER',
      evidence: { document: { path: 'pumps/service.md' } },
    });
    const outranked = await explain(
      { document_id: archive.id },
      { query: 'pump of the south and west house', top_k: 1 },
    );
    expect(outranked).toMatchObject({
      verdict: 'model_policy',
      evidence: { document: { path: 'pumps/service.md' } },
    });
    expect(outranked.stages.filter(({ outcome }) => outcome === 'removed')).toHaveLength(1);
  });

  it('is asked with a text that is in one of its files, in none, or in a chunk of it', async () => {
    expect(await explain({ document_id: archive.id, text: 'serviced in MAY' })).toMatchObject({
      code: 'RETRIEVED',
      evidence: { document: { path: 'pumps/service.md' } },
    });
    // No file that is searchable holds it; the one that is not may have.
    expect(await explain({ document_id: archive.id, text: 'serviced in July' })).toMatchObject({
      code: 'NOT_COMPLETED',
      evidence: { document: { path: 'broken.pdf' } },
    });
    const file = parts.get('fans/service.md')!;
    const { items } = await service.admin.get<Page<{ chunk_id: string }>>(`/documents/${file.id}/chunks`);
    const chunk_id = items[0]!.chunk_id;
    expect((await explain({ document_id: archive.id, chunk_id })).evidence.document).toMatchObject({ path: file.path });
    const body = {
      query: QUESTION,
      dataset_ids: [dataset],
      expected: { document_id: parts.get('broken.pdf')!.id, chunk_id },
    };
    expectInvalid(await service.admin.send('POST', '/retrieval/explain', JSON.stringify(body)), [
      '/expected/document_id',
    ]);
  });

  it('without a file that is searchable says why', async () => {
    const bad = await ingestArchive(service.admin, dataset, zipOf({ 'a.pdf': '%PDF-1.4\nNone.' }), {}, 'bad.zip');
    expect(await explain({ document_id: bad.id })).toMatchObject({
      verdict: 'not_indexed',
      code: 'NOT_COMPLETED',
      evidence: { document: { path: 'a.pdf' } },
    });
    await service.admin.delete(`/documents/${bad.id}`);
    expect(await explain({ document_id: bad.id })).toMatchObject({ code: 'DELETED' });
  });
});

describe('an evaluation case that expects an archive', () => {
  it('is met by a file of it, and a miss is explained', async () => {
    const cases = [
      { query: QUESTION, relevant: [{ document_id: archive.id }] },
      { query: 'pump of the south and west house', relevant: [{ document_id: archive.id }] },
    ];
    const body = { name: 'Archives', dataset_ids: [dataset], cases, k: [1], metrics: ['hit_rate'] };
    const { id } = await service.admin.post<Job>('/evaluations/jobs', body);
    const ended = async () => (await service.admin.get<Job>(`/evaluations/jobs/${id}`)).status === 'completed';
    await until(ended, { what: 'the end of the evaluation', withinMs: 60_000 });
    const { items } = await service.admin.get<Page<Result>>(`/evaluations/jobs/${id}/results`);
    expect(items.map(({ metrics }) => metrics['hit_rate@1'])).toEqual([1, 0]);
    expect(items.map(({ miss }) => miss?.code ?? null)).toEqual([null, expect.stringMatching(/OUTRANKED|DEMOTED/)]);
  });
});
