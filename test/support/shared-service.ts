import { beforeAll, inject } from 'vitest';
import { ApiClient } from './api-client.js';
import type { SharedKind, SharedTenant } from './shared-services.setup.js';

/** A tenant of its own in a service that other specs use at the same time. */
export interface RunningTenant {
  /** Base address of the service. */
  readonly url: string;
  readonly owner: SharedTenant['owner'];
  /** Without any credential. */
  readonly anonymous: ApiClient;
  /** Logged in as the owner of the tenant. */
  readonly admin: ApiClient;
  /** Logged in as the first administrator of the service, who alone makes tenants. */
  readonly platform: ApiClient;
}

/**
 * For a spec that needs no more than a service with default settings: a tenant of its own, made before the tests, in a service that runs
 * as long as Vitest does. Such a spec looks at what its tenant has and at nothing else: it reads no log, process, file, metric or total of
 * the service, and neither stops nor fills it. What does takes `useService`. `kind` says which embedding model the service has.
 */
export function useTenant(kind: SharedKind = 'hashed'): RunningTenant {
  let running: RunningTenant | undefined;
  beforeAll(async () => {
    const answer = await fetch(`${inject('sharedServices')}/${kind}`);
    if (!answer.ok) throw new Error(`The shared service did not start: ${await answer.text()}`);
    const { url, owner, platform } = (await answer.json()) as SharedTenant;
    const anonymous = new ApiClient(url);
    const admin = await anonymous.login(owner.email, owner.password);
    running = { url, owner, anonymous, admin, platform: anonymous.with(platform) };
  });
  const get = (): RunningTenant => {
    if (running === undefined) throw new Error('The tenant is there only while tests run.');
    return running;
  };
  return {
    get url() {
      return get().url;
    },
    get owner() {
      return get().owner;
    },
    get anonymous() {
      return get().anonymous;
    },
    get admin() {
      return get().admin;
    },
    get platform() {
      return get().platform;
    },
  };
}
