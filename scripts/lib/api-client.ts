/** A small client of the HTTP interface, for the demo, the benchmark and the e2e specs. Plain Node runs this file as it is. */

import type { ChatAnswer, DocumentRecord, SearchAnswer } from './api-records.js';

/** JSON as it came; callers say what they expect. */
export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface SseEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

export interface UploadFile {
  readonly name: string;
  readonly content: Uint8Array | string;
  readonly mediaType?: string;
}

const TERMINAL = new Set(['completed', 'failed', 'quarantined', 'cancelled']);

/** An answer that is not 2xx where one was needed. */
export class UnexpectedAnswer extends Error {
  readonly status: number;

  constructor(method: string, path: string, answer: Answer<unknown>) {
    super(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    this.status = answer.status;
  }
}

/** Sends requests with the same headers. Methods that name a thing throw `UnexpectedAnswer` unless the answer is 2xx; `send` never does. */
export class ApiClient {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;

  /** `url` is the address with its prefix, `http://host:port/api/v1`. */
  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.url = url;
    this.headers = headers;
  }

  /** The same with more headers; they replace those of the same name. */
  with(headers: Readonly<Record<string, string>>): ApiClient {
    return new ApiClient(this.url, { ...this.headers, ...headers });
  }

  /** A client that carries the access token of this account. */
  async login(email: string, password: string): Promise<ApiClient> {
    const { access_token: token } = await this.post<{ access_token: string }>('/auth/login', { email, password });
    return this.with({ Authorization: `Bearer ${token}` });
  }

  /** A client that carries an API key and nothing else. */
  asApiKey(secret: string): ApiClient {
    return new ApiClient(this.url, { 'X-API-Key': secret });
  }

  /** `body` is sent as JSON, a string as it is (with the JSON media type unless `headers` say otherwise), a form as multipart. */
  async send<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer<T>> {
    const response = await this.open(method, path, body, headers);
    const text = await response.text();
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as T };
  }

  get<T>(path: string): Promise<T> {
    return this.need<T>('GET', path);
  }

  post<T>(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<T> {
    return this.need<T>('POST', path, body, headers);
  }

  patch<T>(path: string, body: unknown): Promise<T> {
    return this.need<T>('PATCH', path, body);
  }

  delete<T>(path: string): Promise<T> {
    return this.need<T>('DELETE', path);
  }

  /** Makes a dataset and gives its id. */
  async createDataset(name: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return (await this.post<{ id: string }>('/datasets/', { name, ...more })).id;
  }

  upload(datasetId: string, file: UploadFile, fields: Readonly<Record<string, string>> = {}): Promise<DocumentRecord> {
    return this.need<DocumentRecord>(
      'POST',
      '/documents/upload',
      uploadForm(file, { dataset_id: datasetId, ...fields }),
    );
  }

  /** Waits until the document has come to an end, whichever. `onProgress` gets every status that was read. */
  async pollUntilTerminal(
    documentId: string,
    options: { intervalMs?: number; timeoutMs?: number; onProgress?: (status: DocumentRecord) => void } = {},
  ): Promise<DocumentRecord> {
    const { intervalMs = 50, timeoutMs = 60_000, onProgress } = options;
    for (const end = Date.now() + timeoutMs; ; await new Promise((resolve) => setTimeout(resolve, intervalMs))) {
      const status = await this.get<DocumentRecord>(`/documents/${documentId}/status`);
      onProgress?.(status);
      if (TERMINAL.has(status.status)) return this.get<DocumentRecord>(`/documents/${documentId}`);
      if (Date.now() > end) throw new Error(`Document ${documentId} came to no end: ${JSON.stringify(status)}`);
    }
  }

  search(
    query: string,
    datasetIds: readonly string[],
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<SearchAnswer> {
    return this.post<SearchAnswer>('/retrieval/search', { query, dataset_ids: datasetIds, ...more });
  }

  chat(
    question: string,
    datasetIds: readonly string[],
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<ChatAnswer> {
    const messages = [{ role: 'user', content: question }];
    return this.post<ChatAnswer>('/chat/completions', { messages, dataset_ids: datasetIds, ...more });
  }

  /** The events of a streamed answer as they come, `[DONE]` included. */
  async *chatEvents(
    question: string,
    datasetIds: readonly string[],
    more: Readonly<Record<string, unknown>> = {},
  ): AsyncGenerator<SseEvent> {
    const messages = [{ role: 'user', content: question }];
    const body = { messages, dataset_ids: datasetIds, stream: true, ...more };
    const response = await this.open('POST', '/chat/completions', body, {});
    if (!response.ok || response.body === null) {
      const answer = { status: response.status, headers: response.headers, body: await response.text() };
      throw new UnexpectedAnswer('POST', '/chat/completions', answer);
    }
    yield* readSse(response.body);
  }

  /** The canonical text of a document, to whose UTF-16 code units all offsets refer. */
  async text(documentId: string): Promise<string> {
    return this.need<string>('GET', `/documents/${documentId}/text`);
  }

  private async need<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    const answer = await this.send<T>(method, path, body, headers);
    if (answer.status < 200 || answer.status > 299) throw new UnexpectedAnswer(method, path, answer);
    return answer.body;
  }

  private open(
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const isPlain = body instanceof FormData || body === undefined;
    const content = isPlain ? {} : { 'Content-Type': 'application/json' };
    const sent = isPlain || typeof body === 'string' ? body : JSON.stringify(body);
    return fetch(`${this.url}${path}`, { method, headers: { ...content, ...this.headers, ...headers }, body: sent });
  }
}

/** The form of an upload; the fields are before the file. */
export function uploadForm(file: UploadFile, fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const content = typeof file.content === 'string' ? file.content : Uint8Array.from(file.content);
  form.append('file', new Blob([content], { type: file.mediaType ?? 'application/octet-stream' }), file.name);
  return form;
}

/** The events of a server-sent event stream; comments are left out. */
export async function* readSse(body: ReadableStream<Uint8Array>): AsyncGenerator<SseEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body) {
    rest += decoder.decode(piece, { stream: true });
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseSseBlock(block);
      if (event !== undefined) yield event;
    }
  }
}

function parseSseBlock(block: string): SseEvent | undefined {
  const fields = new Map<string, string[]>();
  for (const line of block.split(/\r?\n/)) {
    const [, name, value] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name !== undefined) fields.set(name, [...(fields.get(name) ?? []), value ?? '']);
  }
  const data = fields.get('data');
  return data === undefined
    ? undefined
    : { id: fields.get('id')?.at(-1), event: fields.get('event')?.at(-1) ?? 'message', data: data.join('\n') };
}
