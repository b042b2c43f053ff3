import { afterAll, beforeAll } from 'vitest';
import { ApiClient } from '../../scripts/lib/api-client.js';
import { memoryOf, type MemoryUse } from '../../scripts/lib/process-memory.js';
import { ServiceProcess, type ServiceOptions } from './built-service.js';

export { ServiceProcess, SHIPPED_EMBEDDING, type ServiceOptions } from './built-service.js';

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
