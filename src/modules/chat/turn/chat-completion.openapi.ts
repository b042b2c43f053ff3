import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  getSchemaPath,
} from '@nestjs/swagger';
import { SSE_EVENT_SCHEMA } from '#libs/http';
import { ChatCompletionChunk } from './chat-completion-chunk.dto.js';
import { ChatCompletionRequest } from './chat-completion-request.dto.js';
import { ChatCompletion } from './chat-completion.dto.js';

const DESCRIPTION = `An OpenAI-compatible chat completion that answers from the documents of \`dataset_ids\`. OpenAI's SDKs work with
\`{base_url}/api/v1\` as their base URL and a JWT or an API key as their key. A client that cannot send \`dataset_ids\` names the dataset as its
model: \`dataset:<id>\`.

**OpenAI's options**: \`stop\`, \`max_tokens\`, \`max_completion_tokens\`, \`stream\` and \`stream_options.include_usage\` have an effect with every
model; \`temperature\`, \`top_p\`, \`seed\` and \`response_format\` with models that support them (the built-in one has no randomness and writes
no JSON). \`frequency_penalty\`, \`presence_penalty\`, \`user\`, \`metadata\`, \`store\` and options that are not listed here are accepted without effect.
Options that would change the form of the answer are refused by name unless they have their default: \`tools\`, \`functions\`, \`n\`, \`logprobs\`, \`modalities\`,
and \`response_format\` where the model does not support it. \`stream_options\` without \`stream: true\` is refused, as OpenAI does.

* *Grounding**: \`annotate\` (default) lists the sentences that no source supports; \`strict\` shows only supported sentences, each as soon as it
* is complete;
\`off\` does not measure. In every mode markers that name no source, and links and images whose destination is in no source, are
removed and counted. With \`strict\`, a sentence of a source that tells how to answer is not evidence, and words found only in such
sentences are not shown.

**Tables**: a question that a table of the datasets answers best (a cell, a count, a sum, an average, an extreme, a comparison) is answered from it, by
the rules of \`POST /datasets/{id}/tables/query/natural-language\`, for callers with \`tables:query\` and requests without \`filters\`. The answer is in
English, German, French or Spanish as the question is, and in English for any other language. It says from how many rows it is computed
and cites up to 20 of them, each as a whole with \`table_id\`, \`sheet\` and \`row\`; \`retrieval.table\` contains the SQL statement. A model that writes is given
the rows and the computed values as sources.

**Conversations**: with \`conversation_id\` question and answer are kept on the server, and the earlier turns are taken from there (\`POST /conversations\`).
\`messages\` then contains the question alone. The answer says in \`conversation\` where it was kept.

The question is the last message. A follow-up question is completed with words of the earlier ones before the search.
A question that the documents do not answer is refused with a code in \`refusal\`: that is an answer with status 200, not an error. \`sources\` then
contains the nearest passages, which do not answer the question; \`refusal\` says what they lack, which measure decided, and, where the search was narrowed
(filters, a score threshold, its method), a change of the request that was tried and helps. The text is in the language of the question.

**Messages that are no question** (a greeting, thanks, "what can you do", "list the documents", "summarise everything", in English, German, French, Spanish or Chinese) are
answered without a model, with \`grounding.status\` \`not_applicable\`; the documents that the answer names are in \`sources\`, at most 50, uncited.
"Summarise" with the name of one document gives its headings and first sentences, cited.

**Streaming** (\`stream: true\`): server-sent events, each with an \`id\` and a \`ChatCompletionChunk\` as data, then \`data: [DONE]\`.
The first chunk carries \`request_id\` and \`sources\`, the last one before \`[DONE]\` citations, grounding, refusal, usage and
retrieval. Nothing is sent before the first word of the model: an error until then, including a model that does not begin within
\`CHAT_FIRST_TOKEN_SECONDS\` (503), is answered as without a stream. After that a comment is sent every 15 seconds. An error after the
first byte is an event \`error\` with the problem body (its member \`error\` is for OpenAI's clients), and no \`[DONE]\` follows. When the reader
disconnects, the model is stopped, unless \`stream_options.resumable\` is true: then the answer is continued for at most 30 seconds.

**Resuming**: the same request with the header \`Last-Event-ID\` gives the events after that one, for 10 minutes, to the same
credential of the same tenant. The body is validated, but the original request counts. A resumable stream is available in every
process where \`REDIS_URL\` is set, any other stream only in the process that created it. A stream that was stopped ends with an event \`error\`
(\`chat.stream_stopped\`): the model is not asked again. An id that is unknown or too old is 404 (\`chat.stream_not_found\`): send the
request again without the header.`;

const DATASET = '01934b7e-6c2a-7a3e-9a51-2f0c6d1b8e10';
const DOCUMENT = '01934b7f-0d11-7c44-8b7a-5f1e9c0a2d33';
const CHUNK = '01934b7f-1f80-7d02-9c3e-8a6b4d2f7e55';
const ID = 'chatcmpl-01934b80-2a6d-7b19-8e57-4c3d2b1a0f99';
const CREATED = 1_767_225_600;
const MODEL = 'builtin-extractive-v1';
const REQUEST_ID = '01934b80-2a6c-7e01-a2b3-c4d5e6f70819';
const TEXT = "Either party may end the contract with three months' notice.";

const PLACE = {
  document_id: DOCUMENT,
  document_name: 'handbook.md',
  path: 'people/handbook.md',
  document_created_at: '2026-01-01T00:00:00.000Z',
  dataset_id: DATASET,
  chunk_id: CHUNK,
};

const SOURCE = {
  number: 1,
  marker: '[1]',
  ...PLACE,
  score: 0.98,
  page: null,
  page_end: null,
  char_start: 1200,
  char_end: 1260,
  text: TEXT,
  heading_path: ['Ending the contract'],
  revision: 1,
};

const CITATION = {
  id: 'c1',
  marker: '[1]',
  answer_start: 0,
  answer_end: 60,
  ...PLACE,
  revision: 1,
  page: null,
  source_char_start: 1200,
  source_char_end: 1260,
  cited_text: TEXT,
  support_score: 1,
  verified: true,
};

const TIMINGS = {
  embedding: 0,
  candidates: 3,
  visibility: 2,
  statistics: 1,
  features: 2,
  ranking: 1,
  rerank: 0,
  hydration: 2,
  total: 12,
};
const COUNTS = { chunks_in_scope: 42, proposed: 42, visible: 42, keyword: 9, vector: 42, passed: 42, returned: 1 };

const DETAILS = {
  usage: { prompt_tokens: 22, completion_tokens: 16, total_tokens: 38 },
  request_id: REQUEST_ID,
  citations: [CITATION],
  grounding: {
    status: 'supported',
    score: 1,
    answered: 0.97,
    unsupported_spans: [],
    withheld: 0,
    method: 'lexical',
    threshold: 0.6,
  },
  refusal: null,
  removed_markers: 0,
  removed_links: 0,
  retrieval: {
    config_fingerprint: '6a1f0c7d3b5e48929d0e7f6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a3928',
    search_method: 'hybrid',
    timings_ms: TIMINGS,
    counts: COUNTS,
    warnings: [],
    query: 'How long is the notice period?',
    evidence: 0.93,
    table: null,
  },
};

const COMPLETION = {
  id: ID,
  object: 'chat.completion',
  created: CREATED,
  model: MODEL,
  choices: [{ index: 0, message: { role: 'assistant', content: `${TEXT} [1]`, refusal: null }, finish_reason: 'stop' }],
  ...DETAILS,
  sources: [SOURCE],
};

const CHUNK_HEAD = { id: ID, object: 'chat.completion.chunk', created: CREATED, model: MODEL };
const STREAM_ID = '5f0c1d7e9a3b4c2d8e6f7a1b0c9d8e7f';

function chunkOf(delta: object, finish_reason: string | null, rest: object): string {
  return JSON.stringify({ ...CHUNK_HEAD, choices: [{ index: 0, delta, finish_reason }], ...rest });
}

const STREAM = [
  chunkOf({ role: 'assistant', content: '' }, null, { request_id: REQUEST_ID, sources: [SOURCE] }),
  chunkOf({ content: 'Either' }, null, {}),
  chunkOf({ content: ' party' }, null, {}),
  chunkOf({}, 'stop', DETAILS),
  '[DONE]',
]
  .map((data, index) => `id: ${STREAM_ID}.${index}\ndata: ${data}\n\n`)
  .join('');

const QUESTION = { messages: [{ role: 'user', content: 'How long is the notice period?' }], dataset_ids: [DATASET] };
const FOLLOW_UP = {
  messages: [
    ...QUESTION.messages,
    { role: 'assistant', content: COMPLETION.choices[0]?.message.content },
    { role: 'user', content: 'And does it have to be in writing?' },
  ],
  dataset_ids: [DATASET],
  stream: true,
  grounding: 'strict',
  retrieval: { top_k: 5, search_method: 'hybrid' },
};

/** The description of `POST /chat/completions`. */
export function DescribeChatCompletion(): MethodDecorator {
  return applyDecorators(
    ApiOperation({
      description: DESCRIPTION,
      operationId: 'createChatCompletion',
    }),
    ApiExtension('x-unknown-fields', 'ignored'),
    ApiExtraModels(ChatCompletion, ChatCompletionChunk),
    ApiHeader({
      name: 'Last-Event-ID',
      required: false,
      description: 'With `stream: true`: id of the last event that was received; the answer continues after it.',
      schema: { type: 'string', maxLength: 64 },
    }),
    ApiBody({
      type: ChatCompletionRequest,
      examples: {
        question: { summary: 'A question', value: QUESTION },
        follow_up: { summary: 'A follow-up question, streamed', value: FOLLOW_UP },
      },
    }),
    ApiOkResponse({
      description: 'The answer, or a refusal with its reason.',
      content: {
        'application/json': { schema: { $ref: getSchemaPath(ChatCompletion) }, example: COMPLETION },
        'text/event-stream': {
          schema: { ...SSE_EVENT_SCHEMA, description: 'One of the events, with `ChatCompletionChunk` as data.' },
          example: STREAM,
        },
      },
    }),
  );
}
