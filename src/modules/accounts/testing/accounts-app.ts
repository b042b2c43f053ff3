import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { LoggerModule } from 'nestjs-pino';
import { CacheModule } from '#libs/cache';
import { defineErrors, type AccountId, type DatasetId } from '#libs/common';
import { ConfigModule } from '#libs/config';
import { DatabaseModule } from '#libs/database';
import { HttpModule } from '#libs/http';
import { Metrics, MetricsModule } from '#libs/metrics';
import { growthOf, StorageSpaceModule, VolumesOfFolders } from '#libs/storage-space';
import { TenancyModule, type RequestContext } from '#libs/tenancy';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { loadServiceSettings } from '../../../app/adapters.js';
import { API_PREFIX, configureApp, makeAdapter } from '../../../app/configure-app.js';
import { AccountsModule } from '../accounts.module.js';
import { DatasetOwnershipPort } from '../record/dataset-ownership.port.js';
import { DatasetVisibilityPort } from '../record/dataset-visibility.port.js';
import { PasswordHasher } from '../credentials/password-hasher.service.js';

const datasetErrors = defineErrors('test_datasets', {
  not_found: { status: 404, title: 'Dataset not found', detail: () => 'There is no such dataset.' },
});

/** Datasets in memory with their owners, which is all that accounts need. */
export class FakeDatasets implements DatasetVisibilityPort, DatasetOwnershipPort {
  readonly owners = new Map<string, AccountId>();

  async assertVisible(ctx: RequestContext, ids: readonly DatasetId[]): Promise<void> {
    const account = ctx.principal.kind === 'system' ? null : ctx.principal.accountId;
    if (!ids.every((id) => this.owners.get(id) === account)) throw datasetErrors.not_found({});
  }

  async countOwned(_ctx: RequestContext, accountId: AccountId): Promise<number> {
    return [...this.owners.values()].filter((owner) => owner === accountId).length;
  }

  async transfer(_ctx: RequestContext, from: AccountId, to: AccountId): Promise<void> {
    for (const [id, owner] of this.owners) if (owner === from) this.owners.set(id, to);
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of every shape, looked at by assertions
  readonly body: any;
}

export interface Call {
  readonly token?: string;
  readonly key?: string;
  readonly tenant?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The module with the real guard, filter, database and HTTP server; only the datasets are a test double. */
export interface AccountsApp {
  readonly app: NestFastifyApplication;
  readonly test: TestDatabase;
  readonly datasets: FakeDatasets;
  /** `call('POST', '/auth/login', { body })` */
  call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, options?: Call): Promise<Answer>;
  close(): Promise<void>;
}

const NOTHING_GROWS = growthOf({ files: false, database: false, vectors: false });

/** Fast hashes, because these tests are not about their cost. */
const CHEAP = { logN: 4, r: 8, p: 1 } as const;

export const ADMIN = { email: 'Admin@Example.com', password: 'first password' } as const;

/** Starts the app with `environment` in addition to settings without external dependencies. */
export async function startAccountsApp(environment: Readonly<Record<string, string>> = {}): Promise<AccountsApp> {
  const test = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'kb-accounts-'));
  const datasets = new FakeDatasets();
  const settings = loadServiceSettings({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    DOCS: 'off',
    RATE_LIMITS: 'off',
    BOOTSTRAP_TENANT_NAME: 'First',
    BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
    BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    ...environment,
  });
  const ports = [
    { provide: DatasetVisibilityPort, useValue: datasets },
    { provide: DatasetOwnershipPort, useValue: datasets },
  ];
  class FakeDatasetsModule {}
  Global()(FakeDatasetsModule);
  Module({ providers: ports, exports: ports })(FakeDatasetsModule);
  const moduleRef = await Test.createTestingModule({
    imports: [
      ConfigModule.forRoot(settings),
      LoggerModule.forRoot({ pinoHttp: { level: 'silent', autoLogging: false }, forRoutes: [] }),
      MetricsModule.forRoot(new Metrics()),
      DatabaseModule.forRoot(test.database),
      CacheModule.forRoot({}),
      StorageSpaceModule.forRoot({
        volumes: new VolumesOfFolders(async () => []),
        reserveBytes: 0,
        growth: NOTHING_GROWS,
      }),
      TenancyModule,
      HttpModule,
      FakeDatasetsModule,
      AccountsModule,
    ],
  })
    .overrideProvider(PasswordHasher)
    .useValue(new PasswordHasher(CHEAP))
    .compile();
  const app = moduleRef.createNestApplication<NestFastifyApplication>(makeAdapter(settings), {
    logger: false,
    bodyParser: false,
  });
  await configureApp(app, settings);
  return {
    app,
    test,
    datasets,
    call: (method, path, options = {}) => inject(app, method, path, options),
    close: async () => {
      await app.close();
      await test.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function inject(app: NestFastifyApplication, method: string, path: string, call: Call): Promise<Answer> {
  const answer = await app.inject({
    method: method as 'GET',
    url: `/${API_PREFIX}${path}`,
    headers: {
      ...(call.token === undefined ? {} : { authorization: `Bearer ${call.token}` }),
      ...(call.key === undefined ? {} : { 'x-api-key': call.key }),
      ...(call.tenant === undefined ? {} : { 'x-tenant-id': call.tenant }),
      ...call.headers,
    },
    ...(call.body === undefined ? {} : { payload: call.body as object }),
  });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: answer.body === '' ? null : (JSON.parse(answer.body) as unknown),
  };
}
