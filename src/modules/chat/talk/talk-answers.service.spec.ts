import { beforeEach, describe, expect, it } from 'vitest';
import type { SearchTrace } from '../../retrieval/index.js';
import type { ChatCompletion } from '../turn/chat-completion.dto.js';
import type { ChatCompletionRequest } from '../turn/chat-completion-request.dto.js';
import type { ListedDocument, ShownDocument, ShownPart } from '../turn/shown-documents.repository.js';
import { ChatFixture, contextOf, DATASET_ID, requestOf } from '../testing/chat-fakes.js';

const SIGNAL = new AbortController().signal;
let chat: ChatFixture;

beforeEach(() => {
  chat = new ChatFixture();
});

const ask = (content: string, changes: Partial<ChatCompletionRequest> = {}): Promise<ChatCompletion> =>
  chat.service.complete(contextOf('a1'), requestOf({ messages: [{ role: 'user', content }], ...changes }), SIGNAL);

function documentOf(name: string, metadata: object = {}): ShownDocument {
  const facts = { id: `document-${name}`, dataset_id: DATASET_ID, name, revision: 1, media_type: 'text/plain' };
  const more = { language: 'en', created_at: new Date(0), tags: [], metadata };
  return { ...facts, ...more } as unknown as ShownDocument;
}

function partOf(body: string, start = 0, heading: string[] = []): ShownPart {
  const place = { text_start: String(start), heading_path: heading, page: null, page_end: null };
  return { chunk_id: `chunk-${start}`, body, ...place } as unknown as ShownPart;
}

/** What is listed, in pages as they are asked for. */
function shelve(all: readonly ShownDocument[]): void {
  const listed = all.map((one): ListedDocument => ({ ...one, ...partOf(`Beginning of ${one.name}.`) }));
  chat.documents.list = async (_ctx, _ids, after, limit) => {
    const from = after === undefined ? 0 : listed.findIndex(({ id }) => id === after.id) + 1;
    return listed.slice(from, from + limit);
  };
  chat.documents.listNames = async () => [...all];
}

describe('what is no question', () => {
  it.each([
    ['Hello!', 'Hello! Ask me'],
    ['Vielen Dank!', 'Gern geschehen'],
    ['Que peux-tu faire ?', 'Je réponds aux questions'],
    ['¡Hola!', 'Hágame una pregunta'],
    ['谢谢', '不客气'],
  ])('“%s” is answered as what it is', async (text, words) => {
    const answer = await ask(text);
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'stop', message: { refusal: null } });
    expect(answer.choices[0]!.message.content).toContain(words);
    expect(answer).toMatchObject({
      refusal: null,
      citations: [],
      sources: [],
      grounding: { status: 'not_applicable', score: 0, unsupported_spans: [] },
      usage: { total_tokens: 0 },
    });
    expect(chat.model.requests).toEqual([]);
    expect(chat.searches[0]).toMatchObject({ search_method: 'keyword', rerank: { enabled: false } });
  });

  it('has no grounding where it is off, keeps to its limit of tokens, and leaves JSON to the model', async () => {
    expect((await ask('Hello!', { grounding: 'off' })).grounding).toBeNull();
    expect((await ask('What can you do?', { max_tokens: 4 })).choices[0]!.finish_reason).toBe('length');
    chat.model.descriptor = { ...chat.model.descriptor, supports: { jsonObject: true } as never };
    chat.model.script = ['{"a":"b"}'];
    await ask('Hello!', { response_format: { type: 'json_object' } });
    expect(chat.model.requests).toHaveLength(1);
  });

  it('is answered only where the datasets are visible', async () => {
    chat.searchFails = new Error('The dataset is not seen.');
    await expect(ask('List the documents')).rejects.toThrow('not seen');
  });
});

describe('a list of the documents', () => {
  it('contains their escaped names, with the documents as uncited sources', async () => {
    shelve([documentOf('a_guide.md'), documentOf('<b>![x](https://evil.example/a.png)')]);
    const answer = await ask('Which documents do you have?');
    const { content } = answer.choices[0]!.message;
    expect(content.split('\n').slice(0, 3)).toEqual([
      'These are the documents that I answer from:',
      '',
      expect.stringMatching(/^- a\\?_guide\.md$/),
    ]);
    expect(content).not.toMatch(/(?<!\\)<b>|!\[x\]\(/);
    expect(
      answer.sources.map(({ number, document_name, score, text }) => [number, document_name, score, text]),
    ).toEqual([
      [1, 'a_guide.md', 0, 'Beginning of a_guide.md.'],
      [2, '<b>![x](https://evil.example/a.png)', 0, 'Beginning of <b>![x](https://evil.example/a.png).'],
    ]);
    expect(answer).toMatchObject({ citations: [], refusal: null, grounding: { status: 'not_applicable' } });
  });

  it('has at most fifty, and says so', async () => {
    shelve(Array.from({ length: 60 }, (_, n) => documentOf(`n${n}.md`)));
    const answer = await ask('Summarise everything');
    expect(answer.sources).toHaveLength(50);
    expect(answer.choices[0]!.message.content).toContain('first 50 of the documents');
    expect(answer.choices[0]!.message.content).toContain('I cannot summarise everything at once');
  });

  it('applies the filter of the request, also to documents far back in the order', async () => {
    const others = Array.from({ length: 1_100 }, (_, n) => documentOf(`n${n}.md`));
    shelve([...others, documentOf('z.md', { kind: 'public' })]);
    const options = { filter: { type: 'eq', key: 'metadata.kind', value: 'public' } };
    chat.trace = { options, defaults: { options: {} } } as unknown as SearchTrace;
    expect((await ask('List all documents')).sources.map(({ document_name }) => document_name)).toEqual(['z.md']);
  });

  it('says that there is none', async () => {
    expect((await ask('Welche Dokumente gibt es?')).choices[0]!.message.content).toContain('noch kein Dokument');
  });
});

describe('the summary of a document', () => {
  const BODY = '# Pump\n\nThe pump is serviced every 500 hours by a technician.\nInvoices are paid within thirty days.';

  beforeEach(() => {
    shelve([documentOf('pump-manual.md'), documentOf('pump-manual-old.md'), documentOf('menu.txt')]);
    chat.storedText = `${BODY}\n\n| a | b |\n\n- Dogs pay half. Cats pay nothing.`;
    chat.documents.listChunks = async () => [
      partOf(BODY, 0, ['Pump']),
      partOf('| a | b |', BODY.length + 2, ['Table']),
      partOf('- Dogs pay half. Cats pay nothing.', BODY.length + 13, ['Fees', 'Animals']),
    ];
  });

  it('consists of its headings and first sentences, cited and labelled as such', async () => {
    const answer = await ask('Summarise the pump manual');
    expect(answer.choices[0]!.message.content).toBe(
      'Headings and first sentences of “pump-manual.md”:\n\n' +
        '- **Pump**: The pump is serviced every 500 hours by a technician. [1]\n' +
        '- **Animals**: Dogs pay half. [2]',
    );
    expect(answer.citations).toMatchObject([
      { marker: '[1]', cited_text: 'The pump is serviced every 500 hours by a technician.', verified: true },
      { marker: '[2]', cited_text: 'Dogs pay half.', verified: true },
    ]);
    expect(answer.grounding).toMatchObject({ status: 'supported', score: 1 });
    expect(chat.model.requests).toEqual([]);
  });

  it('is refused where the text has changed meanwhile', async () => {
    chat.storedText = chat.storedText.replace('500', '600');
    expect((await ask('Summarise the pump manual')).refusal?.code).toBe('UNGROUNDED');
  });

  it('is a question where no document, or more than one, has this name', async () => {
    chat.model.script = ['The pump is serviced every 500 hours by a technician [1].'];
    for (const text of ['Summarise the rules for dogs', 'Summarise the pump']) {
      expect((await ask(text)).grounding?.status).not.toBe('not_applicable');
    }
    expect(chat.model.requests).toHaveLength(2);
  });
});
