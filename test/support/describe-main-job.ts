import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient, ChatChunk, Citation, DocumentRecord, Page } from './api-client.js';
import { FIXTURE_NAMES, ingest, readFixture } from './fixtures.js';
import { useService, type ServiceOptions } from './service-process.js';

/** What is asked, what the answer must say, and the file that says it. */
const QUESTIONS = [
  {
    question: 'How many unused vacation days may field staff carry over?',
    fact: '7 unused vacation days',
    file: 'handbook.md',
  },
  { question: 'After how many days are visitor logs deleted?', fact: '45 days', file: 'policy.txt' },
  { question: 'What does the shuttle bus cost?', fact: '3 euros', file: 'faq.html' },
  { question: 'How many new asteroids did the survey team discover?', fact: '19', file: 'report.pdf', page: 1 },
  { question: 'What is the diameter of the new primary mirror?', fact: '1.8 metres', file: 'report.pdf', page: 2 },
  { question: 'How often is the dome motor serviced?', fact: '180 days', file: 'guide.docx' },
  { question: '太陽観測会の参加費はいくらですか?', fact: '八百円', file: 'notice.ja.txt' },
  { question: '每位会员一次最多可以借阅几本书?', fact: '五本', file: 'notice.zh.txt' },
  { question: 'ค่าลงทะเบียนค่ายดาราศาสตร์คนละเท่าไร', fact: 'หนึ่งพันสองร้อยบาท', file: 'notice.th.txt' },
] as const;

/** What the service is for: files of every kind → search → chat → deletion → restart, whatever it rests on. */
export function describeMainJob(options: ServiceOptions = {}): void {
  const service = useService(options);
  let client: ApiClient;
  let datasetId: string;
  const documents = new Map<string, DocumentRecord>();

  beforeAll(async () => {
    client = service.admin;
    datasetId = await client.createDataset('Northwind Observatory');
    const uploads = await Promise.all(
      FIXTURE_NAMES.map(async (name) =>
        client.upload(datasetId, await readFixture(name), { tags: 'fixture', metadata: '{"site":"north"}' }),
      ),
    );
    for (const upload of uploads) documents.set(upload.name, await client.pollUntilTerminal(upload.id));
  });

  /** The document's text is read again over HTTP, so the comparison does not trust what the answer says of itself. */
  async function expectToStandInText(citation: Citation): Promise<void> {
    const text = await client.text(citation.document_id);
    expect(citation.cited_text).not.toBe('');
    expect(text.slice(citation.source_char_start, citation.source_char_end)).toBe(citation.cited_text);
    expect(citation.verified).toBe(true);
  }

  describe('ingestion', () => {
    it('completes every format and makes it searchable', () => {
      for (const name of FIXTURE_NAMES) {
        const document = documents.get(name)!;
        expect(document, name).toMatchObject({
          status: 'completed',
          current_stage: 'completed',
          processing_progress: 100,
          searchable: true,
          error: null,
          error_message: null,
          tags: ['fixture'],
          metadata: { site: 'north' },
        });
        expect(document.chunk_count, name).toBeGreaterThan(0);
      }
      expect(documents.get('report.pdf')).toMatchObject({ media_type: 'application/pdf', page_count: 3 });
    });

    it('writes a timeline in order, with one completion and no failure', async () => {
      const { id } = documents.get('guide.docx')!;
      type Entry = { event: string; stage: string | null; timestamp: string };
      const { items } = await client.get<{ items: Entry[] }>(`/documents/${id}/timeline`);
      const times = items.map(({ timestamp }) => timestamp);
      expect(times).toEqual(times.toSorted());
      expect(items[0]?.event).toBe('created');
      expect(items.filter(({ event }) => event === 'completed')).toHaveLength(1);
      expect(items.filter(({ event }) => event === 'stage_completed').map(({ stage }) => stage)).toEqual([
        'parsing',
        'chunking',
        'embedding',
        'vector_write',
      ]);
      expect(items.map(({ event }) => event)).not.toContain('failed');
    });

    it('shows chunks that are exactly what the text holds at their positions', async () => {
      type Chunk = { text: string; position: { char_start: number; char_end: number } };
      for (const [name, { id, chunk_count: count }] of documents) {
        const text = await client.text(id);
        const { items, total } = await client.get<Page<Chunk>>(`/documents/${id}/chunks?limit=100`);
        expect(total, name).toBe(count);
        for (const chunk of items)
          expect(text.slice(chunk.position.char_start, chunk.position.char_end), name).toBe(chunk.text);
      }
    });

    it('names the first and the last page of a fragment, where it is listed and where it is found', async () => {
      const { id } = documents.get('report.pdf')!;
      type Paged = { position: { page: number | null; page_end: number | null } };
      const { items } = await client.get<Page<Paged>>(`/documents/${id}/chunks?limit=100`);
      expect([items[0]?.position.page, items.at(-1)?.position.page_end]).toEqual([1, 3]);
      const { results } = await client.search('new primary mirror', [datasetId]);
      const spans = results.filter(({ document_id: document }) => document === id).map(({ position }) => position);
      expect(spans.length).toBeGreaterThan(0);
      for (const { page, page_end: end } of spans) expect(end).toBeGreaterThanOrEqual(page ?? 4);
    });

    it('gives the original file back byte for byte, to be saved and not to be shown', async () => {
      const file = await readFixture('report.pdf');
      const answer = await fetch(`${client.url}/documents/${documents.get('report.pdf')!.id}/content`, {
        headers: client.headers,
      });
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(file.content));
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment;.*report\.pdf/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    });

    it('counts the documents in their dataset', async () => {
      const count = FIXTURE_NAMES.length;
      expect(await client.get(`/datasets/${datasetId}`)).toMatchObject({
        document_counts: {
          pending: 0,
          processing: 0,
          completed: count,
          failed: 0,
          quarantined: 0,
          cancelled: 0,
          searchable: count,
          without_text: 0,
          total: count,
        },
        chunk_count: [...documents.values()].reduce((sum, document) => sum + document.chunk_count, 0),
      });
    });
  });

  describe('search', () => {
    it.each(QUESTIONS)('finds $file for "$question"', async ({ question, file }) => {
      const { results, request_id: requestId } = await client.search(question, [datasetId], { top_k: 5 });
      expect(results[0]?.document_name).toBe(file);
      expect(requestId).toMatch(/\S/);
      const scores = results.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      for (const { score } of results) expect(score >= 0 && score <= 1).toBe(true);
    });

    it('returns fragments that are in the text of their documents', async () => {
      const { results } = await client.search('observatory mirror dome', [datasetId], { top_k: 10 });
      expect(results.length).toBeGreaterThan(2);
      for (const { document_id: id, text, position } of results) {
        expect((await client.text(id)).slice(position.char_start, position.char_end)).toBe(text);
      }
    });

    it('gives the same order on repeat', async () => {
      const first = await client.search('How long are images kept?', [datasetId]);
      const second = await client.search('How long are images kept?', [datasetId]);
      expect(second.results).toEqual(first.results);
      expect(second.retrieval['config_fingerprint']).toBe(first.retrieval['config_fingerprint']);
    });
  });

  describe('chat', () => {
    it.each(QUESTIONS)('answers "$question" from $file with a citation that is there', async (expected) => {
      const answer = await client.chat(expected.question, [datasetId]);
      const content = answer.choices[0]!.message.content;
      expect(content).toContain(expected.fact);
      expect(answer).toMatchObject({
        object: 'chat.completion',
        request_id: expect.stringMatching(/\S/),
        refusal: null,
      });
      const right = answer.citations.filter(({ document_name: name }) => name === expected.file);
      expect(
        right.some(({ cited_text: quote }) => quote.includes(expected.fact)),
        JSON.stringify(answer.citations),
      ).toBe(true);
      if ('page' in expected) expect(right.map(({ page }) => page)).toContain(expected.page);
      for (const citation of answer.citations) {
        await expectToStandInText(citation);
        expect(content).toContain(citation.marker);
      }
    });

    it('streams the same answer, with sources first and evidence last', async () => {
      const { question } = QUESTIONS[0];
      const whole = await client.chat(question, [datasetId]);
      const events = [];
      for await (const event of client.chatEvents(question, [datasetId])) events.push(event);
      expect(events.at(-1)?.data).toBe('[DONE]');
      const ids = events.map(({ id }) => id);
      expect(new Set(ids).size).toBe(events.length);
      expect(ids).not.toContain(undefined);
      const chunks = events.slice(0, -1).map(({ data }) => JSON.parse(data) as ChatChunk);
      expect(chunks[0]).toMatchObject({ request_id: expect.stringMatching(/\S/), sources: expect.any(Array) });
      expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(
        whole.choices[0]!.message.content,
      );
      const last = chunks.at(-1)!;
      expect(last.request_id).toBe(chunks[0]!.request_id);
      expect(last.citations).toEqual(whole.citations);
      expect(last.grounding).toEqual(whole.grounding);
      expect(last.usage?.total_tokens).toBeGreaterThan(0);
      for (const citation of last.citations ?? []) await expectToStandInText(citation);
    });

    it('refuses with a code what the documents do not say, in both ways of answering', async () => {
      const question = 'Which airline flies to the capital of Peru?';
      const answer = await client.chat(question, [datasetId]);
      expect(answer.refusal).toMatchObject({
        code: expect.stringMatching(/^[A-Z_]+$/),
        message: answer.choices[0]!.message.content,
      });
      expect(answer.citations).toEqual([]);
      expect(answer.grounding.status).toBe('refused');
      let last: ChatChunk | undefined;
      for await (const { data } of client.chatEvents(question, [datasetId]))
        if (data !== '[DONE]') last = JSON.parse(data) as ChatChunk;
      expect(last?.refusal?.code).toBe(answer.refusal?.code);
    });

    it('understands a follow-up question by what was asked before', async () => {
      const first = await client.chat('How often is the slit shutter inspected?', [datasetId]);
      const messages = [
        { role: 'user', content: 'How often is the slit shutter inspected?' },
        { role: 'assistant', content: first.choices[0]!.message.content },
        { role: 'user', content: 'And the dome motor?' },
      ];
      const answer = await client.post<typeof first>('/chat/completions', { messages, dataset_ids: [datasetId] });
      expect(answer.choices[0]!.message.content).toContain('180 days');
    });
  });

  describe('deletion', () => {
    it('takes a document out of search, list, counts and chat at once', async () => {
      const text = 'The quartz pendulum of Northwind swings for 77 minutes.';
      const document = await ingest(client, datasetId, { name: 'pendulum.txt', content: text });
      const find = async (): Promise<string[]> =>
        (await client.search('quartz pendulum', [datasetId])).results.map(({ document_id: id }) => id);
      expect(await find()).toContain(document.id);
      const before = await client.get<{ document_counts: { total: number } }>(`/datasets/${datasetId}`);
      const { status } = await client.send('DELETE', `/documents/${document.id}`);
      expect(status).toBe(204);
      expect(await find()).not.toContain(document.id);
      expect((await client.send('GET', `/documents/${document.id}`)).status).toBe(404);
      const { items } = await client.get<Page<DocumentRecord>>(`/documents/?dataset_id=${datasetId}&limit=100`);
      expect(items.map(({ id }) => id)).not.toContain(document.id);
      const after = await client.get<{ document_counts: { total: number } }>(`/datasets/${datasetId}`);
      expect(after.document_counts.total).toBe(before.document_counts.total - 1);
      const answer = await client.chat('For how long does the quartz pendulum swing?', [datasetId]);
      expect(answer.choices[0]!.message.content).not.toContain('77');
    });

    it('takes a whole dataset away with its documents', async () => {
      const id = await client.createDataset('Short-lived');
      const document = await ingest(client, id, { name: 'note.txt', content: 'A short-lived note about granite.' });
      const { status, body } = await client.send('DELETE', `/datasets/${id}`);
      expect(status, JSON.stringify(body)).toBe(202);
      expect(body).toMatchObject({ dataset_id: id, documents: 1, chunks: 1, blobs: 1 });
      expect((await client.send('GET', `/datasets/${id}`)).status).toBe(404);
      expect((await client.send('GET', `/documents/${document.id}`)).status).toBe(404);
      expect((await client.send('POST', '/retrieval/search', { query: 'granite', dataset_ids: [id] })).status).toBe(
        404,
      );
    });
  });

  describe('a restart', () => {
    it('keeps everything, and the service goes on as before', async () => {
      const before = await client.search('primary mirror', [datasetId]);
      await service.process.restart();
      const after = await client.search('primary mirror', [datasetId]);
      expect(after.results).toEqual(before.results);
      const document = await ingest(client, datasetId, { name: 'later.txt', content: 'Written after the restart.' });
      expect(document.status).toBe('completed');
    });
  });
}
