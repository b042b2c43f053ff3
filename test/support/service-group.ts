import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#libs/database';
import { ApiClient } from './api-client.js';
import { ServiceProcess } from './service-process.js';

export interface ServiceGroupOptions {
  readonly apis: number;
  readonly workers: number;
  /** Settings of all of them, besides the database and the shared data folder. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Processes of ROLE=api and ROLE=worker on one PostgreSQL, which none of them owns, and one folder for files. */
export class ServiceGroup {
  readonly apis: ServiceProcess[] = [];
  readonly workers: ServiceProcess[] = [];
  private readonly admin = { email: 'admin@example.com', password: randomBytes(12).toString('base64url') };

  private constructor(
    private readonly folder: string,
    private readonly postgres: EmbeddedPostgres,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  /** Starts all of them at once, as an orchestrator would, and resolves when each is ready. */
  static async start({ apis, workers, settings }: ServiceGroupOptions): Promise<ServiceGroup> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'kb-group-')));
    // Under root PostgreSQL runs as another user, which must be able to walk through.
    await chmod(folder, 0o711);
    await mkdir(join(folder, 'data'));
    const postgres = await startEmbeddedPostgres({
      dataDirectory: join(folder, 'postgres'),
      log: () => undefined,
      initdbNoSync: true,
      maxConnections: 200,
    });
    const group = new ServiceGroup(folder, postgres, settings);
    try {
      const roles = [...Array<'api'>(apis).fill('api'), ...Array<'worker'>(workers).fill('worker')];
      const started = await Promise.allSettled(roles.map((role) => group.add(role)));
      const failed = started.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    } catch (error) {
      await group.dispose();
      throw error;
    }
    return group;
  }

  /** One process more, ready; `more` are settings of this one alone. */
  async add(role: 'api' | 'worker', more: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const settings = {
      ROLE: role,
      DATA_DIR_SHARED: 'true',
      DATABASE_URL: this.postgres.serviceUrl,
      DATABASE_MIGRATION_URL: this.postgres.ownerUrl,
      DATABASE_POOL_SIZE: '8',
      AUTH_JWT_KEY: 'a key for tests that all processes of the group share',
      BOOTSTRAP_ADMIN_EMAIL: this.admin.email,
      BOOTSTRAP_ADMIN_PASSWORD: this.admin.password,
      DATA_DIR: join(this.folder, 'data'),
      ...this.settings,
      ...more,
    };
    const process = await ServiceProcess.start({ settings });
    (role === 'api' ? this.apis : this.workers).push(process);
    return process;
  }

  /** Logged in as the first administrator, at one of the APIs. */
  client(api: number): Promise<ApiClient> {
    return new ApiClient(this.apis[api]!.url).login(this.admin.email, this.admin.password);
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.apis, ...this.workers].map((process) => process.dispose()));
    await this.postgres.stop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
