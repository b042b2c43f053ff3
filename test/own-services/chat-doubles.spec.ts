import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { ingest } from '../support/fixtures.js';
import {
  ANSWERED,
  NEAR_MISSES,
  OFFICE_DOCUMENTS,
  SMALL_TALK,
  type OfficeQuestion,
} from '../support/office-questions.js';
import { ProviderProcess } from '../support/provider-process.js';
import { useRemoteService } from '../support/remote-models.js';
import { ServiceProcess } from '../support/service-process.js';

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string; readonly refusal: string | null } }[];
  readonly citations: readonly {
    readonly document_name: string;
    readonly cited_text: string;
    readonly support_score: number;
    readonly verified: boolean;
  }[];
  readonly sources: readonly { readonly document_name: string; readonly text: string }[];
  readonly grounding: {
    readonly status: string;
    readonly withheld: number;
    readonly unsupported_spans: readonly { readonly start: number; readonly end: number; readonly text: string }[];
  };
  readonly refusal: { readonly code: string; readonly message: string; readonly missing: string | null } | null;
}

const ALL = [...ANSWERED, ...NEAR_MISSES];
const FOREIGN = ANSWERED.filter(({ foreign }) => foreign !== undefined);
const NOWHERE = 'usual practice of the trade';

let double: ProviderProcess;
let service: ServiceProcess;
let admin: ApiClient;
let dataset: string;

async function addOffice(client: ApiClient): Promise<string> {
  const id = await client.createDataset('Office');
  for (const [name, content] of Object.entries(OFFICE_DOCUMENTS)) {
    expect(await ingest(client, id, { name, content })).toMatchObject({ status: 'completed' });
  }
  return id;
}

beforeAll(async () => {
  double = await ProviderProcess.start('openai');
  const settings = {
    CHAT_PROVIDER: 'openai',
    CHAT_MODEL: 'double-chat',
    OPENAI_BASE_URL: double.baseUrl,
    OPENAI_API_KEY: 'sk-of-the-office',
  };
  service = await ServiceProcess.start({ settings });
  admin = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  dataset = await addOffice(admin);
});

afterAll(async () => {
  await service?.dispose();
  await double?.stop();
});

function ask(
  { question, earlier = [] }: Pick<OfficeQuestion, 'question' | 'earlier'>,
  grounding: 'annotate' | 'strict' = 'annotate',
  [client, id]: readonly [ApiClient, string] = [admin, dataset],
): Promise<Completion> {
  const roles = ['user', 'assistant'];
  const before = earlier.map((content, at) => ({ role: roles[at % 2], content }));
  const messages = [...before, { role: 'user', content: question }];
  return client.post<Completion>('/chat/completions', { messages, dataset_ids: [id], grounding });
}

const contentOf = ({ choices }: Completion): string => choices[0]!.message.content;

/** What a refusal owes anyone who asked: a reason, what is near, and nothing that reads like an answer. */
function expectRefusal(answer: Completion, codes: readonly string[]): void {
  expect(answer.refusal, contentOf(answer)).not.toBeNull();
  expect(codes).toContain(answer.refusal!.code);
  expect(answer.refusal!.message).not.toBe('');
  expect(answer.citations).toEqual([]);
  expect(answer.sources.length).toBeGreaterThan(0);
  expect(answer.grounding).toMatchObject({ status: 'refused', unsupported_spans: [] });
}

/** Whole sentences of the answer that are named as unsupported, at their places. */
function expectUnsupported(answer: Completion, sentence: string): void {
  const { status, unsupported_spans: spans } = answer.grounding;
  expect(status, contentOf(answer)).toBe('unsupported');
  expect(spans.map(({ text }) => text).join(' ')).toContain(sentence);
  for (const { start, end, text } of spans) expect(contentOf(answer).slice(start, end)).toBe(text);
}

describe('a chat model that answers well', () => {
  beforeAll(() => double.answersLike('well', ALL));

  it.each(ANSWERED)('is supported, with proved citations: $question', async (question) => {
    for (const grounding of ['annotate', 'strict'] as const) {
      const answer = await ask(question, grounding);
      expect(answer.refusal, contentOf(answer)).toBeNull();
      expect(contentOf(answer)).toContain(question.holds[0]);
      expect(answer.grounding).toMatchObject({ status: 'supported', unsupported_spans: [], withheld: 0 });
      expect(answer.citations).toMatchObject([{ document_name: question.document, verified: true, support_score: 1 }]);
      expect(answer.citations[0]!.cited_text).toContain(question.holds[0]);
      expect(answer.sources.map((source) => source.document_name)).toContain(question.document);
    }
  });

  it.each(NEAR_MISSES)('declines, which is a refusal with what is near: $question', async (question) => {
    expectRefusal(await ask(question), ['NOT_ANSWERED', 'INSUFFICIENT_EVIDENCE']);
  });

  it('is not asked for what is no question', async () => {
    await double.forgetRequests();
    for (const question of SMALL_TALK) {
      expect(await ask({ question })).toMatchObject({
        refusal: null,
        grounding: { status: 'not_applicable' },
        citations: [],
      });
    }
    expect(await double.requests()).toEqual([]);
  });
});

describe('a chat model that invents', () => {
  beforeAll(() => double.answersLike('invents', ALL));

  it.each(ANSWERED)('is caught by another $wrong than that of the source: $invented', async (question) => {
    const answer = await ask(question);
    expect(contentOf(answer)).toContain(question.invented);
    expectUnsupported(answer, question.invented);
    // The quotation is there; it does not say what the answer says.
    expect(answer.citations).toMatchObject([{ document_name: question.document, verified: true }]);
    expect(answer.citations[0]!.support_score).toBeLessThan(0.6);
  });

  it.each(ALL)('gets nothing of it past strict grounding: $invented', async (question) => {
    const answer = await ask(question, 'strict');
    expectRefusal(answer, ['UNGROUNDED', 'INSUFFICIENT_EVIDENCE']);
    expect(contentOf(answer)).not.toContain(question.invented);
  });

  it.each(NEAR_MISSES)('is caught by the $wrong that no source has: $invented', async (question) => {
    const answer = await ask(question);
    if (answer.refusal === null) expectUnsupported(answer, question.invented);
    else expectRefusal(answer, ['INSUFFICIENT_EVIDENCE']);
  });

  it('keeps what is true beside what it invents', async () => {
    const [question] = ANSWERED;
    const truth = 'Full-time staff receive 27 days of paid leave a year. [1]';
    const invented = 'In Vellburg they receive 35 days of paid leave a year. [1]';
    await double.always({ kind: 'text', text: `${truth} ${invented}` });
    try {
      const answer = await ask(question!);
      expect(answer.grounding).toMatchObject({ status: 'partial', unsupported_spans: [{ text: invented }] });
      const strict = await ask(question!, 'strict');
      expect(strict).toMatchObject({ refusal: null, grounding: { status: 'partial', withheld: 1 } });
      expect(contentOf(strict).trim()).toBe(truth);
    } finally {
      await double.always(null);
    }
  });
});

describe('a chat model that ignores the sources', () => {
  beforeAll(() => double.answersLike('ignores', ALL));

  it.each(ANSWERED)('is supported by none of them: $question', async (question) => {
    const answer = await ask(question);
    expectUnsupported(answer, NOWHERE);
    expect(answer.citations).toEqual([]);
    expect(answer.sources.map((source) => source.document_name)).toContain(question.document);
    const strict = await ask(question, 'strict');
    expectRefusal(strict, ['UNGROUNDED']);
    expect(contentOf(strict)).not.toContain(NOWHERE);
  });
});

describe('a chat model that answers in another language', () => {
  beforeAll(() => double.answersLike('foreign', ALL));

  it.each(FOREIGN)('cites the right document, but words alone do not support it: $foreign', async (question) => {
    const answer = await ask(question);
    expect(contentOf(answer)).toContain(question.foreign);
    expect(answer.citations).toMatchObject([{ document_name: question.document, verified: true }]);
    expectUnsupported(answer, question.foreign!);
    expectRefusal(await ask(question, 'strict'), ['UNGROUNDED']);
  });

  it.each(NEAR_MISSES)('declines, which is a refusal with what is near: $question', async (question) => {
    expectRefusal(await ask(question), ['NOT_ANSWERED', 'INSUFFICIENT_EVIDENCE']);
  });
});

describe('a chat model that answers in another language, measured by a reranking model that reads both', () => {
  const remote = useRemoteService('openai', 'sk-of-both', { GROUNDING_METHOD: 'reranker' });
  let place: readonly [ApiClient, string];
  beforeAll(async () => {
    place = [remote.admin, await addOffice(remote.admin)];
    await remote.double.answersLike('foreign', ALL);
  });

  it.each(FOREIGN)('is supported: $foreign', async (question) => {
    for (const grounding of ['annotate', 'strict'] as const) {
      const answer = await ask(question, grounding, place);
      expect(answer.refusal, contentOf(answer)).toBeNull();
      expect(contentOf(answer)).toContain(question.foreign);
      expect(answer.grounding).toMatchObject({ status: 'supported', withheld: 0 });
    }
  });

  it.each(FOREIGN.filter(({ foreign }) => /\d/.test(foreign!)))(
    'is caught by a number that the source does not hold, however alike the rest is: $foreign',
    async (question) => {
      const wrong = question.foreign!.replace(/\d+(?=\D*$)/, (number) => String(Number(number) + 4));
      await remote.double.always({ kind: 'text', text: `${wrong} [1]` });
      try {
        expectUnsupported(await ask(question, 'annotate', place), wrong);
        expectRefusal(await ask(question, 'strict', place), ['UNGROUNDED']);
      } finally {
        await remote.double.always(null);
      }
    },
  );
});
