import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { AdapterPort, AdapterPorts } from './adapters/adapter.js';
import { findAdapterProblems } from './adapters/adapter-problems.js';
import { choiceOf, settingsOfAdapters } from './adapters/adapter-settings.js';
import { readModelsFile } from './models-file/read-models-file.js';
import { OIDC_ALGORITHMS } from './oidc-settings.js';
import type { Setting } from './setting.js';
import { SETTINGS, type SettingsValues } from './settings.js';

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

/** Reads and checks every setting, those of the adapters that the application brings too; throws a SettingsError that lists all problems. */
export function loadSettings(ports: AdapterPorts, environment: Environment = process.env): SettingsValues {
  const problems: string[] = [];
  const refused = new Set<string>();
  const read = (setting: Setting<unknown>): unknown =>
    readOne(setting, environment[setting.name], (problem) => {
      problems.push(problem);
      refused.add(setting.name);
    });
  const core = Object.entries<Setting<unknown>>(SETTINGS).map(([key, setting]) => [key, read(setting)]);
  const choices = Object.entries<AdapterPort<unknown, never>>(ports).map(([key, port]) => [key, read(choiceOf(port))]);
  const adapterValues = Object.fromEntries(settingsOfAdapters(ports).map((setting) => [setting.name, read(setting)]));
  const settings = { ...Object.fromEntries([...core, ...choices]), adapterValues } as SettingsValues;
  const dataDir = resolve(settings.dataDir);
  const file = { path: settings.modelsFile, ports, kinds: settings, values: settings.adapterValues };
  const furtherModels = readModelsFile({ ...file, dataDir, environment }, problems);
  const resolved = { ...settings, dataDir, furtherModels };
  const isGiven: IsGiven = ({ name }) => (environment[name] ?? '').trim() !== '';
  problems.push(...findContradictions(resolved, isGiven), ...findProblemsOfAdapters(ports, resolved, refused));
  if (problems.length > 0) throw new SettingsError(problems);
  return resolved;
}

/** Whether the environment gives the setting a value, also one that was refused. */
type IsGiven = (setting: Pick<Setting<unknown>, 'name'>) => boolean;

function findProblemsOfAdapters(ports: AdapterPorts, settings: SettingsValues, refused: ReadonlySet<string>): string[] {
  const { role, adapterValues: values, dataDirShared } = settings;
  const dataDirIsShared = dataDirShared === 'true' || refused.has(SETTINGS.dataDirShared.name);
  return findAdapterProblems(ports, { kinds: settings, values, role, dataDirIsShared, refused });
}

/** The default for a value that is refused: what is wrong with it is told to `onProblem`. */
function readOne(setting: Setting<unknown>, raw: string | undefined, onProblem: (problem: string) => void): unknown {
  if (raw === undefined || raw.trim() === '') return setting.fallback;
  try {
    return setting.parse(raw.trim());
  } catch (error) {
    const shown = setting.secret ? 'its value' : JSON.stringify(raw);
    onProblem(`${setting.name}: ${shown} ${error instanceof Error ? error.message : String(error)}.`);
    return setting.fallback;
  }
}

/** A refused value is there all the same: nothing is said to lack what is given and only has to be put right. */
function findContradictions(settings: SettingsValues, isGiven: IsGiven): string[] {
  const problems = [...findWeakSecrets(settings), ...findProblemsOfIssuer(settings, isGiven)];
  const hasDatabase = isGiven(SETTINGS.databaseUrl);
  if (hasDatabase && settings.authJwtKey === undefined) {
    problems.push('AUTH_JWT_KEY: required with DATABASE_URL, so that all processes accept the same access tokens.');
  }
  if (isGiven(SETTINGS.databaseMigrationUrl) && !hasDatabase) {
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
  if (settings.role !== 'all' && !hasDatabase) {
    problems.push(`ROLE: ${settings.role} needs DATABASE_URL, because the embedded PostgreSQL belongs to one process.`);
  }
  const warmups = settings.readinessWarmups.filter((name) => name !== 'retrieval');
  if (warmups.length > 0) problems.push(`READINESS_WARMUPS: unknown: ${warmups.join(', ')}; known: retrieval.`);
  return problems;
}

function findWeakSecrets({ authJwtKey, metricsToken, secretsKey, secretsFormerKeys }: SettingsValues): string[] {
  const problems: string[] = [];
  if (secretsKey !== undefined && secretsKey.length < 32) {
    problems.push('SECRETS_KEY: must have 32 characters or more.');
  }
  if (secretsFormerKeys.some((key) => key.length < 32)) {
    problems.push('SECRETS_FORMER_KEYS: each must have 32 characters or more.');
  }
  if (authJwtKey !== undefined && !authJwtKey.includes('PRIVATE KEY') && authJwtKey.length < 32) {
    problems.push('AUTH_JWT_KEY: must have 32 characters or more, or be an Ed25519 private key in PEM.');
  }
  if (metricsToken !== undefined && metricsToken.length < 16) {
    problems.push('METRICS_TOKEN: must have 16 characters or more.');
  }
  return problems;
}

function findProblemsOfIssuer(settings: SettingsValues, isGiven: IsGiven): string[] {
  const { authOidcIssuer: issuer, authOidcAudience: audience, authOidcAlgorithms: algorithms } = settings;
  const problems: string[] = [];
  if (issuer !== undefined && audience === undefined) {
    problems.push(
      'AUTH_OIDC_AUDIENCE: required with AUTH_OIDC_ISSUER, or tokens for other services would be accepted.',
    );
  }
  const others = {
    AUTH_OIDC_AUDIENCE: audience,
    AUTH_OIDC_TENANT_CLAIM: settings.authOidcTenantClaim,
    AUTH_OIDC_ROLE_CLAIM: settings.authOidcRoleClaim,
    AUTH_OIDC_CLIENT_ID: settings.authOidcClientId,
  };
  problems.push(...findProblemsOfSignIn(settings, isGiven));
  for (const [name, value] of Object.entries(others)) {
    if (issuer === undefined && value !== undefined) problems.push(`${name}: has no meaning without AUTH_OIDC_ISSUER.`);
  }
  if (issuer !== undefined && !/^https?:$/.test(URL.parse(issuer)?.protocol ?? '')) {
    problems.push(
      'AUTH_OIDC_ISSUER: must be an address that begins with https:// (or http:// in a network of your own).',
    );
  }
  const unknown = algorithms.filter((name) => !OIDC_ALGORITHMS.some((known) => known === name));
  if (unknown.length > 0) {
    problems.push(
      `AUTH_OIDC_ALGORITHMS: not possible: ${unknown.join(', ')}; possible: ${OIDC_ALGORITHMS.join(', ')}.`,
    );
  }
  return problems;
}

/** What people need who sign in at the issuer. */
function findProblemsOfSignIn(settings: SettingsValues, isGiven: IsGiven): string[] {
  const { authOidcClientId: clientId, authOidcClientSecret: secret } = settings;
  const problems: string[] = [];
  if (clientId !== undefined && !isGiven(SETTINGS.publicUrl)) {
    problems.push('PUBLIC_URL: required with AUTH_OIDC_CLIENT_ID: the issuer sends people back there.');
  }
  if (clientId === undefined && secret !== undefined) {
    problems.push('AUTH_OIDC_CLIENT_SECRET: has no meaning without AUTH_OIDC_CLIENT_ID.');
  }
  if (clientId === undefined && settings.authPasswordLogin === 'off') {
    problems.push('AUTH_PASSWORD_LOGIN: off needs AUTH_OIDC_CLIENT_ID, or no one could sign in.');
  }
  return problems;
}

/** What PLUGINS says: needed before the settings can be read, because plugins bring settings of their own. */
export function readPluginNames(environment: Environment = process.env): readonly string[] {
  return [...new Set(SETTINGS.plugins.parse(environment[SETTINGS.plugins.name] ?? ''))];
}

/** One setting of its own, for commands that must work while others are wrong. @throws SettingsError */
export function readSetting<T>(setting: Setting<T>, environment: Environment = process.env): T {
  const problems: string[] = [];
  const value = readOne(setting, environment[setting.name], (problem) => problems.push(problem));
  if (problems.length > 0) throw new SettingsError(problems);
  return value as T;
}

/** DATA_DIR as an absolute path. */
export function readDataDir(environment: Environment = process.env): string {
  return resolve(readSetting(SETTINGS.dataDir, environment));
}

/**
 * Reads a `.env` file of the working directory into the environment; what is set already stays. It may begin with a byte order mark and be
 * in UTF-16, as editors and shells of Windows write it. @throws SettingsError for a file that cannot be read
 */
export function loadEnvironmentFile(directory: string = process.cwd()): void {
  const path = resolve(directory, '.env');
  if (!existsSync(path)) return;
  try {
    const bytes = readFileSync(path);
    const encoding = UTF_16.find(([mark]) => bytes.subarray(0, 2).equals(mark))?.[1] ?? 'utf-8';
    const text = new TextDecoder(encoding).decode(bytes);
    for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new SettingsError([`${path}: the file cannot be read (${code}).`]);
  }
}

const UTF_16: readonly (readonly [Buffer, string])[] = [
  [Buffer.from([0xff, 0xfe]), 'utf-16le'],
  [Buffer.from([0xfe, 0xff]), 'utf-16be'],
];

/** The environment without this service's settings: what a child process may see. */
export function plainEnvironment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '' };
}
