import { CohereClient, CohereError, CohereTimeoutError } from 'cohere-ai';
import { boundedFetch } from '../remote/bounded-fetch.js';
import { kindOfStatus, retryAfterOf, type ReadError, type RemoteModel } from '../remote/remote-call.js';

export interface CohereAccess {
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
}

/** Above every silence: the adapter's own deadline decides. */
const SDK_TIMEOUT_SECONDS = 3_600;

export function cohereClient({ apiKey = '', baseUrl }: CohereAccess): CohereClient {
  return new CohereClient({
    token: apiKey,
    maxRetries: 0,
    fetch: boundedFetch(),
    timeoutInSeconds: SDK_TIMEOUT_SECONDS,
    ...(baseUrl === undefined ? {} : { baseUrl: baseUrl.replace(/\/+$/, '') }),
  });
}

/** A model of this provider as failures tell it. */
export function cohereModel(model: string, { apiKey }: CohereAccess, silenceMs: number): RemoteModel {
  return { provider: 'cohere', model, secrets: apiKey === undefined ? [] : [apiKey], silenceMs };
}

export const readCohereError: ReadError = (error) => {
  if (error instanceof CohereTimeoutError) return { kind: 'timeout' };
  if (!(error instanceof CohereError)) return undefined;
  const status = error.statusCode ?? null;
  const words = wordsOf(error);
  if (status === null) return { kind: 'network', words };
  const retryAfterMs = retryAfterOf((name) => error.rawResponse?.headers.get(name), Date.now());
  return { kind: kindOfStatus(status), status: status < 300 ? null : status, retryAfterMs, words };
};

/** Cohere says `{message}`; the SDK's own message holds the whole body. */
function wordsOf(error: CohereError): string {
  const said = (error.body as { message?: unknown } | undefined)?.message;
  if (typeof said === 'string') return said;
  if (typeof error.body === 'string') return error.body;
  const { cause } = error;
  const inner =
    cause instanceof Error ? `${cause.message} ${cause.cause instanceof Error ? cause.cause.message : ''}` : '';
  return `${error.message} ${inner}`.trim();
}
