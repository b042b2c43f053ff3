import { resolve } from 'node:path';
import type { AdapterDefinition, AdapterPort } from '../adapters/adapter.js';
import { missingSettings, valuesOf } from '../adapters/adapter.js';
import { parsePrice, type ModelPrice } from '../model-prices.js';
import { EntryProblem, readKey } from './entry-key.js';
import { FURTHER_MODEL_PORTS, type FurtherModel, type FurtherModelPort } from './further-model.js';

type Definition = AdapterDefinition<unknown, never>;
export type ModelPorts = Readonly<Record<FurtherModelPort, AdapterPort<unknown, never>>>;

/** What an entry is read with. */
export interface EntryFacts {
  readonly ports: ModelPorts;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The settings of the installation's own adapters, of which an entry takes over `INHERITED`. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Folder of the file: paths in it are relative to it. */
  readonly folder: string;
  /** Folder of local models. */
  readonly modelsFolder: string;
}

const FIELDS = [
  'id',
  'port',
  'provider',
  'model',
  'base_url',
  'api_key_env',
  'api_key_file',
  'dimensions',
  'prices',
] as const;
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const FOLDER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** A name that may be shown: whatever else is there may be a key that slipped. */
const SHOWABLE = /^[A-Za-z][A-Za-z_]{0,39}$/;
/** How providers are dealt with in general; what is about one model is not taken over. */
const INHERITED = new Set([
  'PROVIDER_SILENCE_SECONDS',
  'EMBEDDING_THREADS',
  'RERANK_THREADS',
  'EMBEDDING_BATCH_SIZE',
  'RERANK_BATCH_SIZE',
]);

/** One entry of the file. Every problem of it is told to `onProblem`; undefined when there was one. Shows no value that may be a key. */
export function readModelEntry(
  entry: unknown,
  facts: EntryFacts,
  onProblem: (field: string, problem: string) => void,
): FurtherModel | undefined {
  if (!isRecord(entry)) {
    onProblem('', 'must be an object with id, port, provider and model');
    return undefined;
  }
  let failed = false;
  const fail = (field: string, problem: string): void => {
    failed = true;
    onProblem(field, problem);
  };
  const attempt = <T>(field: string, work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      fail(field, error.message);
      return undefined;
    }
  };
  findUnknown(entry, fail);
  const id = attempt('id', () => readId(entry['id']));
  const port = attempt('port', () => readPort(entry['port']));
  const price = attempt('prices', () => readPrice(entry['prices']));
  const definition = port === undefined ? undefined : attempt('provider', () => definitionOf(entry, facts.ports[port]));
  if (definition === undefined) return undefined;
  const given = readGiven(entry, definition, facts, attempt);
  if (!failed) for (const [field, problem] of problemsOf(definition, given)) fail(field, problem);
  if (failed || id === undefined || port === undefined) return undefined;
  const model = typeof entry['model'] === 'string' ? entry['model'] : undefined;
  return { id, port, provider: definition.kind, model, values: given, price };
}

function findUnknown(entry: Readonly<Record<string, unknown>>, fail: (field: string, problem: string) => void): void {
  for (const name of Object.keys(entry)) {
    if ((FIELDS as readonly string[]).includes(name)) continue;
    if (/^(api|secret|access)?_?-?(key|token|secret|password)$/i.test(name)) {
      const how = 'name a variable as api_key_env, or a file that holds it alone as api_key_file';
      fail(SHOWABLE.test(name) ? name : 'a key', `a key must not stand in this file; ${how}`);
    } else {
      fail(SHOWABLE.test(name) ? name : 'a field', `is unknown; known are ${FIELDS.join(', ')}`);
    }
  }
}

function readId(value: unknown): string {
  if (typeof value !== 'string' || !ID.test(value)) {
    throw new EntryProblem('must be 1 to 100 letters, digits, ".", "-" or "_", a letter or digit first');
  }
  if (value === 'default') throw new EntryProblem('"default" names the first chat model; choose another');
  return value;
}

function readPort(value: unknown): FurtherModelPort {
  const port = FURTHER_MODEL_PORTS.find((one) => one === value);
  if (port === undefined) throw new EntryProblem(`must be one of ${FURTHER_MODEL_PORTS.join(', ')}`);
  return port;
}

function readPrice(value: unknown): ModelPrice | undefined {
  return value === undefined ? undefined : parsePrice('the model', value);
}

function definitionOf(entry: Readonly<Record<string, unknown>>, port: AdapterPort<unknown, never>): Definition {
  const definition = port.adapters.find(({ kind }) => kind === entry['provider']);
  if (definition !== undefined) return definition;
  const known = port.adapters.map(({ kind }) => kind).join(', ');
  throw new EntryProblem(`must be a provider of this port: ${known}`);
}

type Attempt = <T>(field: string, work: () => T) => T | undefined;

/** The adapter's settings by their names in the environment, as the entry gives them. */
function readGiven(
  entry: Readonly<Record<string, unknown>>,
  definition: Definition,
  facts: EntryFacts,
  attempt: Attempt,
): Record<string, unknown> {
  const { settings } = definition;
  const given: Record<string, unknown> = {};
  for (const { name } of Object.values(settings)) if (INHERITED.has(name)) given[name] = facts.values[name];
  const put = (field: string, key: string, read: () => unknown): void => {
    const setting = settings[key];
    const value = attempt(field, () => {
      if (setting === undefined) throw new EntryProblem(`the provider ${definition.kind} takes none; leave it out`);
      return read();
    });
    if (setting !== undefined && value !== undefined) given[setting.name] = value;
  };
  const parsed = (field: string, key: string): unknown => {
    const value = entry[field];
    const isText = typeof value === 'string' && value.trim() !== '';
    if (!isText && typeof value !== 'number') throw new EntryProblem('must be a text that is not empty');
    return settings[key]!.parse(String(value).trim());
  };
  if (settings['path'] !== undefined) put('model', 'path', () => folderOf(entry['model'], facts.modelsFolder));
  else if (settings['model'] !== undefined) put('model', 'model', () => parsed('model', 'model'));
  else if (definition.models !== undefined) put('model', 'name', () => oneOf(definition.models!, entry['model']));
  else if (entry['model'] !== undefined) attempt('model', () => requireOnlyModel(entry['model'], definition));
  if (entry['base_url'] !== undefined) put('base_url', 'baseUrl', () => parsed('base_url', 'baseUrl'));
  if (entry['dimensions'] !== undefined) {
    put('dimensions', 'dimensions', () => settings['dimensions']!.parse(wholeNumber(entry['dimensions'])));
  }
  readKey(entry, facts, put);
  return given;
}

function wholeNumber(value: unknown): string {
  if (Number.isInteger(value) && Number(value) >= 1) return String(value);
  throw new EntryProblem('must be a whole number above 0');
}

function folderOf(name: unknown, modelsFolder: string): string {
  if (typeof name === 'string' && FOLDER_NAME.test(name)) return resolve(modelsFolder, name);
  throw new EntryProblem('must be the name of a folder of DATA_DIR/models, as "npm run model -- list" shows it');
}

function oneOf(models: readonly string[], value: unknown): string {
  const found = value === undefined ? models[0] : models.find((one) => one === value);
  if (found !== undefined) return found;
  throw new EntryProblem(`must be ${models.join(' or ')}`);
}

function requireOnlyModel(value: unknown, definition: Definition): void {
  const only = definition.modelOf?.(valuesOf(definition.settings, {}));
  if (value === only) return;
  throw new EntryProblem(`the provider ${definition.kind} has one model, ${only ?? 'without a name'}; leave it out`);
}

const FIELD_OF: Readonly<Record<string, string>> = {
  model: 'model',
  path: 'model',
  baseUrl: 'base_url',
  apiKey: 'api_key_env',
  dimensions: 'dimensions',
};

/** What the adapter itself finds wrong, in the words of the file. */
function problemsOf(definition: Definition, given: Readonly<Record<string, unknown>>): [string, string][] {
  const { settings, kind } = definition;
  const fields = new Map(
    Object.entries(settings).flatMap(([key, { name }]) => (FIELD_OF[key] === undefined ? [] : [[name, FIELD_OF[key]]])),
  );
  const inFile = (text: string): string =>
    [...fields].reduce((told, [name, field]) => told.replaceAll(name, field), text);
  const missing = missingSettings(definition, given).map((name): [string, string] => [
    fields.get(name) ?? name,
    `required with the provider ${kind}`,
  ]);
  const told = definition.findProblems?.(valuesOf(settings, given), true) ?? [];
  const own = told.map((problem): [string, string] => {
    const [, name = '', rest = problem] = /^([A-Z0-9_]+): (.*)$/s.exec(problem) ?? [];
    return [fields.get(name) ?? name, inFile(rest).replace(/\.$/, '')];
  });
  return [...missing, ...own];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
