import { beforeEach, describe, expect, it } from 'vitest';
import { createModels } from '#libs/ai';
import { BUILTIN_MODELS } from '#libs/testing';
import { activeIn } from '../markup/testing/render.js';
import type { StreamReader } from './chat-streams.service.js';
import type { ChatCompletionRequest } from '../turn/chat-completion-request.dto.js';
import { ChatFixture, collect, contextOf, requestOf, textOf } from '../testing/chat-fakes.js';

const SENTENCE = 'The pump is serviced every 500 hours by a technician. [1]';
const SIGNAL = new AbortController().signal;
const READER: StreamReader = {
  signal: SIGNAL,
  describe: (thrown) => {
    throw thrown;
  },
};

/** What an obedient model writes that a document has told so: forms that a reader of Markdown shows as images and links. */
const FORMS: Readonly<Record<string, string>> = {
  'nested parentheses': '![x](https://evil.example/p(a(b)c).png)',
  'escaped parentheses': '![x](https://evil.example/p\\(a.png)',
  'a title with escapes': '![x](https://evil.example/p.png "a \\" b")',
  'a title in parentheses': '![x](https://evil.example/p.png (a \\( b))',
  'pointed brackets': '![x](<https://evil.example/p a.png>)',
  'escaped backticks': '\\`![x](https://evil.example/p.png)\\`',
  'code spans around an image': '`a` ![x](https://evil.example/p.png) `b`',
  'a definition in a quotation': '![x][y]\n\n> [y]: https://evil.example/p.png',
  'a definition in a list': '![x][y]\n\n- [y]: https://evil.example/p.png',
  'no scheme': '![x](//evil.example/p.png) [y](//evil.example/)',
  entities: '![x](&#104;ttps://evil.example/p.png) [y](&#104;ttps:&#x2f;/evil.example/)',
  HTML: '<img src=https://evil.example/p.png> <iframe src="//evil.example"></iframe><form action=//evil.example><input>',
  'an autolink': '<https://evil.example/> <me@evil.example>',
  'bare addresses': 'https://evil.example/ and www.evil.example and me@evil.example',
};

describe('an answer of a model that writes what a document demands', () => {
  let chat: ChatFixture;
  const ask = async (changes: Partial<ChatCompletionRequest> = {}): Promise<string> =>
    (await chat.service.complete(contextOf('a1'), requestOf(changes), SIGNAL)).choices[0]!.message.content;
  beforeEach(() => {
    chat = new ChatFixture();
    const [first, ...others] = chat.outcome.results;
    const text = `${first!.text} ${Object.values(FORMS).join(' ')}`;
    chat.outcome = { ...chat.outcome, results: [{ ...first!, text }, ...others] };
    chat.storedText = text;
  });

  it.each(Object.entries(FORMS))('leads nowhere and loads nothing: %s', async (_name, form) => {
    chat.model.script = [`${SENTENCE} ${form}\n\n${form}`];
    const shown = await ask();
    expect(activeIn(shown)).toEqual([]);
    expect(shown).toContain('evil.example');
    expect(shown).toContain(SENTENCE);
  });

  it.each(['off', 'annotate', 'strict'] as const)(
    'says the same in a stream, with exact citations: %s',
    async (grounding) => {
      for (const form of Object.values(FORMS)) {
        chat.model.script = [...`${SENTENCE}\n\n${form} ${SENTENCE}\n\n- ${SENTENCE}\n- ${form}`];
        const answer = await chat.service.complete(contextOf('a1'), requestOf({ grounding }), SIGNAL);
        const { content } = answer.choices[0]!.message;
        const events = await collect(
          await chat.service.stream(contextOf('a1'), requestOf({ stream: true, grounding }), undefined, READER),
        );
        expect(textOf(events)).toBe(content);
        expect(activeIn(content)).toEqual([]);
        expect(answer.citations.length).toBeGreaterThan(1);
        expect(content.match(/\[\d\]/g)).toEqual(answer.citations.map(({ marker }) => marker));
        for (const { answer_start: start, answer_end: end, verified } of answer.citations) {
          expect(verified).toBe(true);
          expect(content.slice(start, end)).toContain('The pump is serviced every 500 hours by a technician.');
        }
      }
    },
  );

  it('leaves what the documents say as it is in the sources', async () => {
    chat.model.script = [SENTENCE];
    const { sources } = await chat.service.complete(contextOf('a1'), requestOf({}), SIGNAL);
    expect(sources[0]!.text).toBe(chat.outcome.results[0]!.text);
  });

  it('leaves JSON as the model wrote it', async () => {
    const supports = { jsonObject: true, jsonSchema: false, seed: true };
    chat.model.descriptor = { ...chat.model.descriptor, supports };
    chat.model.script = [JSON.stringify({ html: FORMS['HTML'], image: FORMS['no scheme'] })];
    const answer = await ask({ response_format: { type: 'json_object' } });
    expect(JSON.parse(answer)).toEqual({ html: FORMS['HTML'], image: FORMS['no scheme'] });
  });

  it('links what the installation allows', async () => {
    chat.model.script = [`${SENTENCE} See [the guide](https://docs.example/guide_a "t") and https://docs.example/b.`];
    const shown = await ask();
    expect(shown).toBe(`${SENTENCE} See [the guide](https://docs.example/guide_a) and https://docs.example/b.`);
    expect(activeIn(shown, (href) => href.startsWith('https://docs.example/'))).toEqual([]);
  });
});

describe('an answer that quotes', () => {
  it.each([
    'The <b onclick=x>pump</b> is serviced every 500 hours <video src=//evil.example autoplay>.',
    'The pump is serviced every 500 hours, see ![x](https://evil.example/p(a(b)).png) and www.evil.example.',
    'The pump is serviced every 500 hours <https://evil.example> [x][y].\n\n[y]: https://evil.example/',
  ])('shows the markup of its source as text: %j', async (text) => {
    const { chatModel } = await createModels(BUILTIN_MODELS);
    const chat = new ChatFixture(chatModel);
    const [first] = chat.outcome.results;
    chat.outcome = { ...chat.outcome, results: [{ ...first!, text }] };
    const { choices } = await chat.service.complete(contextOf('a1'), requestOf({}), SIGNAL);
    expect(choices[0]!.message.content).toContain('is serviced every 500 hours');
    expect(activeIn(choices[0]!.message.content)).toEqual([]);
  });
});
