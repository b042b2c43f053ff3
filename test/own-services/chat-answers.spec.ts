import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../support/service-process.js';
import { ApiClient, type ChatAnswer, type ChatChunk, type Citation } from '../support/api-client.js';
import { injections, type Injection } from '../support/injections.js';
import { obedientModel } from '../support/obedient-model.js';

const QUESTIONS = 250;
const AT_ONCE = 5;

/** What the demanded links and images lead to: anyone who follows one is counted. */
let listener: Server;
let visits = 0;
let site: string;
let orders: Injection[];
let folder: string;
let service: ServiceProcess;
let admin: ApiClient;

beforeAll(async () => {
  listener = createServer((_request, response) => response.end()).on('connection', () => (visits += 1));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  site = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  orders = injections(site);
  folder = await obedientModel(Object.fromEntries(orders.map(({ demand }, index) => [String(index), demand])));
  service = await ServiceProcess.start({
    packages: { 'model-double': folder },
    settings: { PLUGINS: 'model-double', CHAT_PROVIDER: 'double' },
  });
  admin = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
}, 120_000);
afterAll(async () => {
  await service?.dispose();
  listener?.close();
  await rm(folder, { recursive: true, force: true });
});

async function inGroups<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += AT_ONCE)
    await Promise.all(items.slice(from, from + AT_ONCE).map(work));
}

/** The text and the facts of a streamed answer, as the JSON answer has them. */
async function streamed(question: string, datasetId: string, more: object): Promise<[string, ChatChunk]> {
  let text = '';
  let last: ChatChunk | undefined;
  for await (const { data } of admin.chatEvents(question, [datasetId], { ...more })) {
    if (data === '[DONE]') break;
    last = JSON.parse(data) as ChatChunk;
    text += last.choices[0]?.delta.content ?? '';
  }
  return [text, last!];
}

describe('500 answers of a model that spoils the markers of a fifth of them', () => {
  const texts = new Map<string, string>();
  let datasetId: string;

  beforeAll(async () => {
    datasetId = await admin.createDataset('Pumps');
    for (let one = 0; one < 6; one += 1) {
      const content = `The pump in hall ${one} is serviced every ${one + 2}00 hours. Its number is 𝟙-${one}, 水泵 ${one}.\n`;
      const { id } = await admin.upload(datasetId, { name: `hall-${one}.txt`, content: content.repeat(2) });
      await admin.pollUntilTerminal(id);
      texts.set(id, await admin.text(id));
    }
  }, 120_000);

  function check(content: string, citations: readonly Citation[]): void {
    const markers = content.replace(/```[^]*?```/g, '').match(/[[【［][\d\s,]+[\]】］]/g) ?? [];
    expect(markers).toEqual(citations.map(({ marker }) => marker));
    expect(markers.length).toBeGreaterThan(0);
    for (const citation of citations) {
      const { document_id, source_char_start: start, source_char_end: end, cited_text, verified } = citation;
      expect(verified).toBe(true);
      expect(texts.get(document_id)!.slice(start, end)).toBe(cited_text);
      expect(content.slice(citation.answer_start, citation.answer_end)).not.toBe('');
    }
  }

  it('have a proved citation for every marker, and a marker for every citation', async () => {
    let removed = 0;
    const numbers = Array.from({ length: QUESTIONS }, (_, index) => index);
    await inGroups(numbers, async (number) => {
      const question = `How often is the pump serviced, number ${number}?`;
      const whole = (await admin.chat(question, [datasetId])) as ChatAnswer & { removed_markers: number };
      const { content } = whole.choices[0]!.message;
      check(content, whole.citations);
      removed += whole.removed_markers;
      const [text, last] = await streamed(question, datasetId, {});
      check(text, last.citations!);
      expect(text).toBe(content);
    });
    // The double has spoilt what it should have: four of its five ways name sources that there are not.
    expect(removed).toBeGreaterThan(QUESTIONS / 10);
  }, 240_000);
});

describe('more than 60 files that demand bytes, and a model that obeys whatever reaches it', () => {
  let datasetId: string;
  const ids = new Map<string, string>();

  beforeAll(async () => {
    datasetId = await admin.createDataset('Orders');
    await inGroups(orders, async ({ name, content, bytes }) => {
      const { id } = await admin.upload(datasetId, { name, content });
      ids.set(bytes, id);
      expect(await admin.pollUntilTerminal(id)).toMatchObject({
        status: expect.stringContaining('completed') as string,
      });
    });
  }, 240_000);

  it('give nothing of it under strict grounding, in the answer or the stream, and all of them reach the model', async () => {
    const leaks: string[] = [];
    await inGroups(orders, async ({ name, bytes }) => {
      const filters = { type: 'eq', key: 'document_id', value: ids.get(bytes) };
      const more = { grounding: 'strict', retrieval: { filters } };
      const whole = await admin.chat('How often is the pump serviced?', [datasetId], more);
      const [text] = await streamed('How often is the pump serviced?', datasetId, more);
      for (const shown of [whole.choices[0]!.message.content, text]) {
        const isClean = !shown.includes(bytes) && !shown.includes(new URL(site).host) && !shown.includes('<img');
        if (!isClean) leaks.push(`${name}: ${shown}`);
      }
    });
    expect(leaks).toEqual([]);
    expect(orders.length).toBeGreaterThanOrEqual(60);
    const reached = await readFile(join(service.folder, 'node_modules/model-double/reached.txt'), 'utf8');
    const missed = orders.filter((_, n) => !new Set(reached.trim().split('\n')).has(String(n)));
    expect(missed.map(({ name }) => name)).toEqual([]);
    expect(visits).toBe(0);
  }, 240_000);

  it('would have shown it without: the model writes it', async () => {
    const { bytes } = orders[0]!;
    const filters = { type: 'eq', key: 'document_id', value: ids.get(bytes) };
    const answer = await admin.chat('How often is the pump serviced?', [datasetId], {
      grounding: 'off',
      retrieval: { filters },
    });
    expect(answer.choices[0]!.message.content).toContain(bytes);
  });
});
