import { afterAll, beforeAll } from 'vitest';
import { ApiClient } from './api-client.js';
import { ProviderProcess } from './provider-process.js';
import { ServiceProcess } from './service-process.js';

export type ProviderKind = 'openai' | 'cohere';

/** Soon tried again and soon left alone, so that a test need not wait. */
const HASTY = { MODEL_RETRIES: '1', MODEL_RETRY_PAUSE_MS: '50', MODEL_CIRCUIT_SECONDS: '1' };
const DIMENSIONS = '64';

/** Settings by which all three models are the double's. */
export function remoteSettings(kind: ProviderKind, baseUrl: string, key: string): Record<string, string> {
  return {
    ...HASTY,
    EMBEDDING_PROVIDER: kind,
    RERANK_PROVIDER: kind,
    CHAT_PROVIDER: kind,
    EMBEDDING_MODEL: 'double-embed',
    EMBEDDING_DIMENSIONS: DIMENSIONS,
    RERANK_MODEL: 'double-rerank',
    CHAT_MODEL: 'double-chat',
    [`${kind.toUpperCase()}_BASE_URL`]: baseUrl,
    [`${kind.toUpperCase()}_API_KEY`]: key,
  };
}

/** A service whose models are those of a double of a provider. */
export interface RemoteService {
  readonly double: ProviderProcess;
  readonly process: ServiceProcess;
  /** Logged in as the first administrator. */
  readonly admin: ApiClient;
}

/** Starts both before the tests and ends them afterwards. The result is read inside tests only. */
export function useRemoteService(
  kind: ProviderKind,
  key: string,
  settings: Readonly<Record<string, string>> = {},
): RemoteService {
  let double: ProviderProcess | undefined;
  let process: ServiceProcess | undefined;
  let admin: ApiClient | undefined;
  beforeAll(async () => {
    double = await ProviderProcess.start(kind);
    process = await ServiceProcess.start({
      // Waits for the warm-up: its calls of the models would be counted among those of the tests.
      settings: { ...remoteSettings(kind, double.baseUrl, key), READINESS_WARMUPS: 'retrieval', ...settings },
    });
    admin = await new ApiClient(process.url).login(process.admin.email, process.admin.password);
  });
  afterAll(async () => {
    await process?.dispose();
    await double?.stop();
  });
  return {
    get double() {
      return double!;
    },
    get process() {
      return process!;
    },
    get admin() {
      return admin!;
    },
  };
}
