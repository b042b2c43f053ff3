import OpenAI, {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  AzureOpenAI,
  type ClientOptions,
} from 'openai';
import { boundedFetch } from '../remote/bounded-fetch.js';
import { kindOfStatus, retryAfterOf, type ReadError, type RemoteModel } from '../remote/remote-call.js';

export const OPENAI_ADDRESS = 'https://api.openai.com/v1';
/** Above every silence: the adapter's own deadline decides. */
const SDK_TIMEOUT_MS = 3_600_000;

export interface OpenAiAccess {
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
  /** Set for Azure: the version of its interface. */
  readonly apiVersion: string | undefined;
}

/** A client that takes nothing from the environment, tries once, logs nothing, and sends no key where there is none. */
export function openAiClient(
  { apiKey, baseUrl = OPENAI_ADDRESS, apiVersion }: OpenAiAccess,
  transport: Required<Pick<ClientOptions, 'fetch'>> = { fetch: boundedFetch() },
): OpenAI {
  const common = {
    apiKey: apiKey ?? 'none',
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: SDK_TIMEOUT_MS,
    logLevel: 'off',
    ...transport,
  } as const;
  const address = baseUrl.replace(/\/+$/, '');
  if (apiVersion !== undefined) {
    const baseURL = `${address.replace(/\/openai$/, '')}/openai`;
    return withHeaders(new AzureOpenAI({ ...common, apiVersion, baseURL }), {});
  }
  const headers = apiKey === undefined ? { Authorization: null } : {};
  return withHeaders(new OpenAI({ ...common, adminAPIKey: null, baseURL: address }), headers);
}

/** Instead of those that the SDK takes from `OPENAI_CUSTOM_HEADERS`, which none of its options switches off. */
function withHeaders<Client extends OpenAI>(client: Client, defaultHeaders: { readonly Authorization?: null }): Client {
  Object.assign(Reflect.get(client, '_options') as object, { defaultHeaders });
  return client;
}

/** A model of this provider as failures tell it. */
export function openAiModel(model: string, access: OpenAiAccess, silenceMs: number): RemoteModel {
  return { provider: 'openai', model, secrets: access.apiKey === undefined ? [] : [access.apiKey], silenceMs };
}

export const readOpenAiError: ReadError = (error) => {
  if (error instanceof APIConnectionTimeoutError) return { kind: 'timeout', words: error.message };
  if (error instanceof APIConnectionError) return { kind: 'network', words: causes(error) };
  if (!(error instanceof APIError)) return undefined;
  return readAnswered(error as APIError);
};

function readAnswered(error: APIError): ReturnType<ReadError> {
  const words = wordsOf(error);
  // Azure's filter answers with 400 and this code.
  if (error.code === 'content_filter') return { kind: 'content_filter', status: statusOf(error), words };
  const status = statusOf(error);
  // An error in the middle of a stream has no status of its own.
  if (status === null) return { kind: 'unavailable', words };
  const headers = error.headers;
  const retryAfterMs = retryAfterOf((name) => headers?.get(name), Date.now());
  return { kind: kindOfStatus(status), status, retryAfterMs, words };
}

function statusOf(error: APIError): number | null {
  return typeof error.status === 'number' ? error.status : null;
}

/** OpenAI says `{error: {message}}`, others `{error: "…"}`, `{message}` or `{detail}`; the SDK's own message begins with the status. */
function wordsOf(error: APIError): string {
  const body: unknown = error.error;
  if (typeof body === 'string') return body;
  const said = (body ?? {}) as Readonly<Record<string, unknown>>;
  const found = [said['message'], said['detail'], said['error']].find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : error.message.replace(/^\d{3} /, '');
}

function causes(error: Error): string {
  const told: string[] = [];
  for (let one: unknown = error.cause; one instanceof Error && told.length < 3; one = one.cause) told.push(one.message);
  return told.length === 0 ? error.message : told.join(': ');
}
