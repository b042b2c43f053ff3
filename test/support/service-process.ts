import { afterAll, beforeAll } from 'vitest';
import { ApiClient } from '../../scripts/lib/api-client.js';
import { memoryOf, type MemoryUse } from '../../scripts/lib/process-memory.js';
import {
  ServiceProcess as StartedService,
  type ServiceOptions as StartOptions,
} from '../../scripts/lib/service-process.js';
import { findDataTemplate } from './data-template.js';

export type ServiceProcess = StartedService;

/** Settings of a service with the embedding model that it has by itself, for specs that are about what it finds by meaning. */
export const SHIPPED_EMBEDDING = { EMBEDDING_PROVIDER: 'builtin' } as const;

export interface ServiceOptions extends Omit<StartOptions, 'dataFrom'> {
  /** A first start, which makes the database and runs all migrations. Else it begins with a copy of one where that is done. */
  readonly fromNothing?: boolean;
}

/** Settings with which a service does not use the embedded database of its own data folder, or not with the usual roles. */
const OTHER_DATABASE = ['DATABASE_URL', 'DATABASE_ROLE_PREFIX', 'DATA_DIR'];

/**
 * The built service, with hashed vectors where a spec names no embedding provider: they cost next to nothing, where the shipped model takes
 * some 50 ms of processor time for a chunk of 400 tokens.
 */
export const ServiceProcess = {
  async start({ fromNothing = false, settings = {}, ...options }: ServiceOptions = {}): Promise<StartedService> {
    const hasOwn = options.entry === undefined && OTHER_DATABASE.every((name) => settings[name] === undefined);
    const dataFrom = hasOwn && !fromNothing ? await findDataTemplate() : undefined;
    return StartedService.start({
      ...options,
      settings:
        settings['EMBEDDING_PROVIDER'] === undefined ? { EMBEDDING_MODEL: 'hashing-v1', ...settings } : settings,
      ...(dataFrom === undefined ? {} : { dataFrom }),
    });
  },
};

/** A service that runs during one spec file, or one `describe`. */
export interface RunningService {
  readonly process: ServiceProcess;
  /** Without any credential. */
  readonly anonymous: ApiClient;
  /** Logged in as the first administrator. */
  readonly admin: ApiClient;
}

/**
 * Starts the built service before the tests and ends every process of it afterwards, whatever became of the tests. A spec
 * calls it once at the top of a file or `describe`, and reads the result inside its tests only.
 */
export function useService(options: ServiceOptions = {}): RunningService {
  let running: RunningService | undefined;
  beforeAll(async () => {
    const process = await ServiceProcess.start(options);
    const anonymous = new ApiClient(process.url);
    running = { process, anonymous, admin: anonymous };
    const admin = await anonymous.login(process.admin.email, process.admin.password);
    running = { process, anonymous, admin };
  });
  afterAll(async () => {
    await running?.process.dispose();
  });
  const get = (): RunningService => {
    if (running === undefined) throw new Error('The service runs only while tests run.');
    return running;
  };
  return {
    get process() {
      return get().process;
    },
    get anonymous() {
      return get().anonymous;
    },
    get admin() {
      return get().admin;
    },
  };
}

/** Memory of all processes of the service: itself, parser children, database. Linux only. */
export async function memoryOfService(service: ServiceProcess): Promise<MemoryUse> {
  return memoryOf(await service.rootPids());
}
