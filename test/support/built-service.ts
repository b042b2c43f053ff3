import { fileURLToPath } from 'node:url';
import {
  ServiceProcess as StartedService,
  usesOwnDatabase,
  type ServiceOptions as StartOptions,
} from '../../scripts/lib/service-process.js';
import { findDataTemplate } from './data-template.js';

export type ServiceProcess = StartedService;

/** Settings of a service with the embedding model that it has by itself, for specs that are about what it finds by meaning. */
export const SHIPPED_EMBEDDING = { EMBEDDING_PROVIDER: 'builtin' } as const;

export interface ServiceOptions extends Omit<StartOptions, 'dataFrom' | 'preload'> {
  /**
   * A first start as people make it, which makes the database, runs all migrations and hashes passwords at their full cost. Else it begins
   * with a copy of a database where that is done.
   */
  readonly fromNothing?: boolean;
  /** A clock that SIGUSR2 sets back by two hours. */
  readonly hasMovableClock?: boolean;
}

const QUICK_PASSWORDS = fileURLToPath(new URL('./quick-passwords.mjs', import.meta.url));
const MOVABLE_CLOCK = fileURLToPath(new URL('./movable-clock.mjs', import.meta.url));
/** A generated password: one that is given would be judged, for which the service loads its dictionaries. */
const NO_PASSWORD = { BOOTSTRAP_ADMIN_PASSWORD: '' };

/**
 * The built service, with hashed vectors where a spec names no embedding provider: they cost next to nothing, where the shipped model takes
 * some 50 ms of processor time for a chunk of 400 tokens.
 */
export const ServiceProcess = {
  async start({
    fromNothing = false,
    hasMovableClock = false,
    settings = {},
    ...options
  }: ServiceOptions = {}): Promise<StartedService> {
    const dataFrom = !fromNothing && usesOwnDatabase({ ...options, settings }) ? await findDataTemplate() : undefined;
    const vectors: Record<string, string> =
      settings['EMBEDDING_PROVIDER'] === undefined ? { EMBEDDING_MODEL: 'hashing-v1' } : {};
    return StartedService.start({
      ...options,
      settings: { ...(fromNothing ? {} : NO_PASSWORD), ...vectors, ...settings },
      preload: [...(fromNothing ? [] : [QUICK_PASSWORDS]), ...(hasMovableClock ? [MOVABLE_CLOCK] : [])],
      ...(dataFrom === undefined ? {} : { dataFrom }),
    });
  },
};
