import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { ApiClient } from './api-client.js';
import { ServiceProcess, SHIPPED_EMBEDDING } from './built-service.js';

/** What the services differ in that specs share. */
const SETTINGS = { hashed: {}, shipped: SHIPPED_EMBEDDING } as const;
export type SharedKind = keyof typeof SETTINGS;

/** A new tenant of a shared service. */
export interface SharedTenant {
  /** Base address of the service. */
  readonly url: string;
  readonly owner: { readonly email: string; readonly password: string };
  /** Headers of a client that is logged in as the first administrator of the service, for half an hour at least. */
  readonly platform: Readonly<Record<string, string>>;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** `GET {sharedServices}/{kind}` makes a `SharedTenant`. */
    sharedServices: string;
  }
}

/** An access token is valid for an hour. */
const LOGIN_MS = 30 * 60_000;

/** A running service in which every spec that asks gets a tenant of its own. */
class SharedService {
  private platform: { readonly client: Promise<ApiClient>; readonly since: number } | undefined;

  constructor(readonly process: ServiceProcess) {}

  async newTenant(): Promise<SharedTenant> {
    const { url } = this.process;
    const platform = await this.logIn();
    const name = randomBytes(6).toString('hex');
    const owner = { email: `owner-${name}@example.com`, password: randomBytes(12).toString('base64url') };
    await platform.post('/tenants', { name, admin_email: owner.email, admin_password: owner.password });
    return { url, owner, platform: platform.headers };
  }

  private logIn(): Promise<ApiClient> {
    if (this.platform === undefined || performance.now() - this.platform.since > LOGIN_MS) {
      const { url, admin } = this.process;
      this.platform = { client: new ApiClient(url).login(admin.email, admin.password), since: performance.now() };
    }
    return this.platform.client;
  }
}

/** Services for specs that share them. Each starts when the first spec asks for it, and ends with the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const services = new Map<SharedKind, Promise<SharedService>>();
  const serviceOf = (kind: SharedKind): Promise<SharedService> => {
    const started =
      services.get(kind) ??
      ServiceProcess.start({ settings: SETTINGS[kind] }).then((process) => new SharedService(process));
    services.set(kind, started);
    return started;
  };
  const server = await listen(async (kind) => (await serviceOf(kind)).newTenant());
  project.provide('sharedServices', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    server.closeAllConnections();
    for (const started of await Promise.allSettled(services.values()))
      if (started.status === 'fulfilled') await started.value.process.dispose();
  };
}

/** Answers each request with what `make` gives for the kind that it names; 500 with the message when that fails. */
async function listen(make: (kind: SharedKind) => Promise<SharedTenant>): Promise<Server> {
  const server = createServer((request, response) => {
    make(request.url!.slice(1) as SharedKind).then(
      (tenant) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(tenant)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
