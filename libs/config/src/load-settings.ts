import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { findLocalModelFiles } from './local-model-files.js';
import type { Setting } from './setting.js';
import { SETTINGS, type SettingsValues } from './settings.js';
import { findVectorStoreContradictions } from './vector-store-settings.js';

/** The typed settings as an injection token. */
export abstract class Settings {
  declare readonly values: SettingsValues;
}

/** Thrown at start with every problem of the settings in one message. */
export class SettingsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The settings cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'SettingsError';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads and checks every setting; throws a SettingsError that lists all problems. */
export function loadSettings(environment: Environment = process.env): SettingsValues {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    values[key] = readOne(setting, environment[setting.name], problems);
  }
  const settings = values as SettingsValues;
  const resolved = { ...settings, dataDir: resolve(settings.dataDir) };
  problems.push(...findContradictions(resolved));
  if (problems.length > 0) throw new SettingsError(problems);
  return resolved;
}

function readOne(setting: Setting<unknown>, raw: string | undefined, problems: string[]): unknown {
  if (raw === undefined || raw.trim() === '') return setting.fallback;
  try {
    return setting.parse(raw.trim());
  } catch (error) {
    const shown = setting.secret ? 'its value' : JSON.stringify(raw);
    problems.push(`${setting.name}: ${shown} ${error instanceof Error ? error.message : String(error)}.`);
    return setting.fallback;
  }
}

function findContradictions(settings: SettingsValues): string[] {
  const problems = [
    ...findVectorStoreContradictions(settings),
    ...findWeakSecrets(settings),
    ...findUnavailable(settings),
    ...findModelProblems(settings),
  ];
  if (settings.databaseUrl !== undefined && settings.authJwtKey === undefined) {
    problems.push('AUTH_JWT_KEY: required with DATABASE_URL, so that all processes accept the same access tokens.');
  }
  if (settings.databaseMigrationUrl !== undefined && settings.databaseUrl === undefined) {
    problems.push('DATABASE_MIGRATION_URL: has no meaning without DATABASE_URL.');
  }
  if (!/^[^@\s]+@[^@\s]+$/.test(settings.bootstrapAdminEmail)) {
    problems.push('BOOTSTRAP_ADMIN_EMAIL: must be an e-mail address.');
  }
  if (!/^[a-z_][a-z0-9_]{0,30}$/.test(settings.databaseRolePrefix)) {
    problems.push(
      'DATABASE_ROLE_PREFIX: must begin with a lower-case letter and hold lower-case letters, digits and _.',
    );
  }
  if (settings.role !== 'all' && settings.vectorStore === 'embedded') {
    problems.push(
      `ROLE: ${settings.role} cannot be used with VECTOR_STORE=embedded, which one process owns; use ROLE=all, or set VECTOR_STORE to elasticsearch or opensearch.`,
    );
  }
  if (settings.role !== 'all' && settings.databaseUrl === undefined) {
    problems.push(`ROLE: ${settings.role} needs DATABASE_URL, because the embedded PostgreSQL belongs to one process.`);
  }
  const warmups = settings.readinessWarmups.filter((name) => name !== 'retrieval');
  if (warmups.length > 0) problems.push(`READINESS_WARMUPS: unknown: ${warmups.join(', ')}; known: retrieval.`);
  return problems;
}

function findWeakSecrets({ authJwtKey, metricsToken }: SettingsValues): string[] {
  const problems: string[] = [];
  if (authJwtKey !== undefined && !authJwtKey.includes('PRIVATE KEY') && authJwtKey.length < 32) {
    problems.push('AUTH_JWT_KEY: must have 32 characters or more, or be an Ed25519 private key in PEM.');
  }
  if (metricsToken !== undefined && metricsToken.length < 16) {
    problems.push('METRICS_TOKEN: must have 16 characters or more.');
  }
  return problems;
}

/** Adapters that this version does not bring yet are refused at the start, not at the first request. */
function findUnavailable(settings: SettingsValues): string[] {
  const problems: string[] = [];
  const refuse = (name: string, value: string, ...available: string[]): void => {
    if (available.includes(value)) return;
    problems.push(`${name}: ${value} is not available in this version; use ${available.join(' or ')}.`);
  };
  refuse('OBJECT_STORAGE', settings.objectStorage, 'filesystem');
  refuse('EMBEDDING_PROVIDER', settings.embeddingProvider, 'builtin', 'local');
  refuse('RERANK_PROVIDER', settings.rerankProvider, 'builtin');
  refuse('CHAT_PROVIDER', settings.chatProvider, 'builtin');
  if (settings.authOidcIssuer !== undefined || settings.authOidcAudience !== undefined) {
    problems.push(
      'AUTH_OIDC_ISSUER: tokens of other issuers are not accepted in this version; leave AUTH_OIDC_* empty.',
    );
  }
  return problems;
}

/** A local model needs a folder that holds one. */
function findModelProblems({ embeddingProvider, embeddingModelPath }: SettingsValues): string[] {
  if (embeddingProvider !== 'local') return [];
  if (embeddingModelPath === undefined) {
    return ['EMBEDDING_MODEL_PATH: required with EMBEDDING_PROVIDER=local: the folder of an ONNX model.'];
  }
  const { missing } = findLocalModelFiles(resolve(embeddingModelPath));
  return missing.map((what) => `EMBEDDING_MODEL_PATH: ${JSON.stringify(embeddingModelPath)} lacks ${what}.`);
}

/** Reads a `.env` file of the working directory into the environment; what is set already stays. */
export function loadEnvironmentFile(directory: string = process.cwd()): void {
  const path = resolve(directory, '.env');
  if (existsSync(path)) process.loadEnvFile(path);
}

/** The environment without this service's settings: what a child process may see. */
export function plainEnvironment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '' };
}
