import { beforeAll, describe, expect, it } from 'vitest';
import { makePdf } from '../../libs/parsing/src/testing/make-pdf.js';
import type { ApiClient } from '../support/api-client.js';
import { addMember, personOf, type Person } from '../support/people.js';
import { useTenant } from '../support/shared-service.js';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly start: number;
  readonly end: number;
  readonly rotation: number;
  readonly precision: string;
}
interface Boxes {
  readonly revision: number;
  readonly page_count: number;
  readonly width: number;
  readonly height: number;
  readonly origin: string;
  readonly boxes: readonly Box[];
}

const PAGES = [
  { lines: ['Lamp oil is kept in the cellar.'] },
  { lines: ['The cellar is locked at night.', 'The key hangs by the door.'], turned: 270 as const },
];

describe('boxes of a text on a page', () => {
  const service = useTenant();
  let admin: Person;
  let viewer: Person;
  let datasetId: string;
  let id: string;
  let text: string;

  beforeAll(async () => {
    admin = await personOf(service.admin, service.owner.email);
    viewer = await addMember(admin, 'viewer@example.com', 'viewer');
    datasetId = await service.admin.createDataset('Lighthouse', { acl: 'all_team_members' });
    id = await upload('lamps.pdf', makePdf(PAGES));
    text = await textOf(id);
  });

  async function upload(name: string, content: Buffer | string, fields: Record<string, string> = {}): Promise<string> {
    const { id: made } = await service.admin.upload(datasetId, { name, content }, fields);
    await service.admin.pollUntilTerminal(made);
    return made;
  }

  async function textOf(document: string): Promise<string> {
    const answer = await fetch(`${service.url}/documents/${document}/text`, { headers: service.admin.headers });
    return answer.text();
  }

  const ask = (client: ApiClient, document: string, page: number | string, words: string, from = text) => {
    const start = from.indexOf(words);
    return client.send('GET', `/documents/${document}/pages/${page}/boxes?start=${start}&end=${start + words.length}`);
  };

  it('are told to anyone who reads the document, in points of the page as it is shown', async () => {
    const answer = await ask(viewer.client, id, 1, 'Lamp oil');
    expect(answer.status).toBe(200);
    const { boxes, ...page } = answer.body as Boxes;
    expect(page).toMatchObject({ revision: 1, page_count: 2, width: 595, height: 842, origin: 'top_left' });
    const start = text.indexOf('Lamp oil');
    expect(boxes).toMatchObject([{ start, end: start + 8, rotation: 0, precision: 'words' }]);
    expect(boxes[0]!.x).toBeCloseTo(60, 0);
    const turned = (await ask(viewer.client, id, 2, 'key hangs')).body as Boxes;
    expect(turned).toMatchObject({ width: 842, height: 595 });
    expect(turned.boxes.map(({ rotation }) => rotation)).toEqual([270]);
  });

  it('are those of the place that a search result names', async () => {
    const found = await service.admin.post<{
      results: { document_id: string; position: { page: number; char_start: number; char_end: number } }[];
    }>('/retrieval/search', { query: 'Where does the key hang?', dataset_ids: [datasetId] });
    const { position: hit } = found.results.find(({ document_id: document }) => document === id)!;
    const answer = await service.admin.send(
      'GET',
      `/documents/${id}/pages/${hit.page}/boxes?start=${hit.char_start}&end=${hit.char_end}`,
    );
    expect(answer.status).toBe(200);
    expect((answer.body as Boxes).boxes.length).toBeGreaterThan(0);
  });

  it('are those of all text of the page where no stretch is named, and reach to its end where only a beginning is', async () => {
    const whole = await service.admin.get<Boxes>(`/documents/${id}/pages/1/boxes`);
    const start = text.indexOf('Lamp oil');
    expect(whole.boxes.some((box) => box.start <= start && box.end >= start + 8)).toBe(true);
    const rest = await service.admin.get<Boxes>(`/documents/${id}/pages/1/boxes?start=${start}`);
    expect(rest.boxes[0]).toMatchObject({ start });
    expect(rest.boxes.at(-1)).toEqual(whole.boxes.at(-1));
  });

  it('are refused with the reason where there are none', async () => {
    const note = await upload('note.txt', 'The lamp is lit.');
    const empty = await upload('empty.pdf', makePdf([{ frames: [[10, 10, 20, 20]] }]));
    const all = text.length;
    const paths: readonly (readonly [string, number, string])[] = [
      [`${note}/pages/1/boxes?start=0&end=4`, 409, 'documents.no_pdf'],
      [`${id}/pages/3/boxes?start=0&end=4`, 404, 'documents.page_not_found'],
      [`${id}/pages/0/boxes?start=0&end=4`, 404, 'documents.page_not_found'],
      [`${id}/pages/x/boxes?start=0&end=4`, 404, 'documents.page_not_found'],
      [`${id}/pages/2/boxes?start=0&end=4`, 422, 'documents.not_on_page'],
      [`${id}/pages/1/boxes?start=0&end=${all + 1}`, 422, 'documents.outside_text'],
      [`${id}/pages/1/boxes?start=4&end=4`, 422, 'http.validation_failed'],
      [`${id}/pages/1/boxes?start=${all}`, 422, 'documents.outside_text'],
      [`${empty}/pages/1/boxes`, 409, 'documents.without_place'],
      ['no-id/pages/no-page/boxes', 404, 'documents.not_found'],
      [`${empty}/pages/1/boxes?start=0&end=4`, 422, 'documents.outside_text'],
      ['019f0000-0000-7000-8000-000000000000/pages/1/boxes?start=0&end=4', 404, 'documents.not_found'],
    ];
    for (const [path, status, code] of paths) {
      const answer = await service.admin.send('GET', `/documents/${path}`);
      expect([path, answer.status, (answer.body as { code: string }).code]).toEqual([path, status, code]);
    }
    const elsewhere = await service.admin.send('GET', `/documents/${id}/pages/2/boxes?start=0&end=4`);
    expect((elsewhere.body as { detail: string }).detail).toContain('begins on page 1');
  });

  it('are not told of a private, a deleted and a quarantined document', async () => {
    const own = await service.admin.createDataset('Private', { acl: 'only_me' });
    const { id: secret } = await service.admin.upload(own, { name: 'own.pdf', content: makePdf(PAGES) });
    await service.admin.pollUntilTerminal(secret);
    expect(await ask(viewer.client, secret, 1, 'Lamp oil')).toMatchObject({ status: 404 });
    const gone = await upload('gone.pdf', makePdf([{ lines: ['Lamp oil is gone.'] }]));
    await service.admin.send('DELETE', `/documents/${gone}`);
    expect(await ask(service.admin, gone, 1, 'Lamp oil')).toMatchObject({ status: 404 });
    const held = await upload('held.pdf', makePdf([{ lines: ['Lamp oil is held.'] }]));
    await service.admin.post('/governance/quarantine', { document_ids: [held], reason: 'A test' });
    const refused = await ask(viewer.client, held, 1, 'Lamp oil');
    expect(refused).toMatchObject({ status: 403, body: { code: 'documents.quarantined' } });
    expect(await ask(service.admin, held, 1, 'Lamp oil')).toMatchObject({ status: 200 });
  });

  it('of what a mask hides need the right to the file', async () => {
    const hidden = await service.admin.createDataset('Masked', { acl: 'all_team_members' });
    const path = `/datasets/${hidden}/ingestion-policy`;
    const { policy } = await service.admin.get<{ policy: { governance: object } }>(path);
    const detectors = [{ entity_type: 'email', action: 'mask', min_score: 0.5 }];
    const changed = { ...policy, governance: { ...policy.governance, detectors } };
    expect((await service.admin.send('PUT', path, changed)).status).toBe(200);
    const content = makePdf([{ lines: ['Write to anna@example.org', 'before the tour begins.'] }]);
    const { id: letter } = await service.admin.upload(hidden, { name: 'letter.pdf', content });
    await service.admin.pollUntilTerminal(letter);
    const masked = await textOf(letter);
    const mask = '█'.repeat('anna@example.org'.length);
    expect(masked).toContain(mask);
    const refused = await ask(viewer.client, letter, 1, mask, masked);
    expect(refused).toMatchObject({ status: 403, body: { code: 'documents.content_guarded' } });
    const told = await ask(service.admin, letter, 1, mask, masked);
    expect(told.status).toBe(200);
    const { boxes } = told.body as Boxes;
    expect(boxes).toHaveLength(1);
    expect(boxes[0]!.width).toBeGreaterThan(100);
  });

  it('are those of the revision that searches show', async () => {
    const first = await upload('times.pdf', makePdf([{ lines: ['Lit at eight.'] }]));
    const { id: same } = await service.admin.upload(
      datasetId,
      { name: 'times.pdf', content: makePdf([{ lines: ['', '', 'Lit at nine.'] }]) },
      { on_same_name: 'new_revision' },
    );
    expect(same).toBe(first);
    await service.admin.pollUntilTerminal(first);
    const shown = await textOf(first);
    const answer = (await ask(service.admin, first, 1, 'Lit at nine', shown)).body as Boxes;
    expect(answer.revision).toBe(2);
    expect(answer.boxes[0]!.y).toBeGreaterThan(120);
  });
});
