import { readFile } from 'node:fs/promises';
import type { EngineConnection } from './engine-transport.js';

/** Connection settings of an engine. */
export interface EngineSettings {
  /** Addresses of the nodes. */
  readonly urls: readonly string[];
  readonly username?: string;
  readonly password?: string;
  readonly apiKey?: string;
  /** File with certificates in PEM. */
  readonly caFile?: string;
  /** Begins the name of every index: lower-case letters, digits, `-` and `_`. */
  readonly indexPrefix: string;
}

/** Reads the certificates; a file that cannot be read fails the start. */
export async function readConnection(settings: EngineSettings): Promise<EngineConnection> {
  const { urls, caFile, username, password, apiKey } = settings;
  const ca = caFile === undefined ? undefined : await readFile(caFile, 'utf8');
  return { nodes: urls, username, password, apiKey, ca };
}
