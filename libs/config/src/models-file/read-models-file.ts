import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { finish } from '#libs/common';
import { findYamlExcess } from '#libs/yaml';
import { valuesOf, type AdapterPorts, type AdapterValues } from '../adapters/adapter.js';
import type { FurtherModel } from './further-model.js';
import { readModelEntry, type EntryFacts, type ModelPorts } from './model-entry.js';

const SETTING = 'MODELS_FILE';
const MOST_BYTES = 1024 * 1024;
const MOST_MODELS = 100;
const BOUNDS = { values: 20_000, depth: 16, lines: 20_000 };

const EXCESS = {
  values: 'the file holds far more than 100 models need',
  depth: `the file is nested deeper than ${BOUNDS.depth} levels`,
  lines: `the file has more than ${BOUNDS.lines} lines`,
} as const;

/** What the file is read with. */
export interface ModelsFileFacts {
  readonly path: string | undefined;
  readonly ports: AdapterPorts;
  /** The kind that is chosen of each port. */
  readonly kinds: Readonly<Record<keyof AdapterPorts, string>>;
  readonly values: AdapterValues;
  readonly dataDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The models that MODELS_FILE names, as far as they have no problem; each problem is added to `problems` with its place. */
export function readModelsFile(facts: ModelsFileFacts, problems: string[]): readonly FurtherModel[] {
  if (facts.path === undefined) return [];
  const path = resolve(facts.path);
  const entries = entriesOf(path, problems);
  const ports: ModelPorts = {
    embedding: facts.ports.embeddingProvider,
    rerank: facts.ports.rerankProvider,
    chat: facts.ports.chatProvider,
  };
  const { environment, values, dataDir } = facts;
  const reading: EntryFacts = {
    ports,
    environment,
    values,
    folder: dirname(path),
    modelsFolder: join(dataDir, 'models'),
  };
  const taken = new Map<string, string>(takenIds(facts, ports));
  const models: FurtherModel[] = [];
  entries.forEach((entry, index) => {
    const place = `${SETTING}: models[${index}]`;
    const tell = (field: string, problem: string): void => {
      problems.push(`${place}${field === '' ? '' : `.${field}`}: ${problem}.`);
    };
    const model = readModelEntry(entry, reading, tell);
    const id = idIn(entry);
    const owner = id === undefined ? undefined : taken.get(id.toLowerCase());
    if (owner !== undefined) tell('id', `is the id of ${owner} already; choose another`);
    else if (id !== undefined) taken.set(id.toLowerCase(), `models[${index}]`);
    if (model !== undefined && owner === undefined) models.push(model);
  });
  problems.push(...findPriceConflicts(models));
  return models;
}

function entriesOf(path: string, problems: string[]): readonly unknown[] {
  const refuse = (problem: string): readonly [] => {
    problems.push(`${SETTING}: ${problem}.`);
    return [];
  };
  let text: string;
  try {
    if (statSync(path).size > MOST_BYTES) return refuse('the file is larger than 1 MiB');
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return refuse(`the file cannot be read (${(error as { code?: string }).code ?? 'unknown'})`);
  }
  const excess = finish(findYamlExcess(text, BOUNDS));
  if (excess !== undefined) return refuse(EXCESS[excess]);
  // Without excerpts, which could show a key that someone wrote into the file.
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: true, version: '1.2' });
  const [broken] = document.errors;
  if (broken !== undefined) {
    const line = text.slice(0, broken.pos[0]).split('\n').length;
    return refuse(`the file is no YAML or JSON: ${broken.code} in line ${line}`);
  }
  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: 0 });
  } catch {
    return refuse('the file must hold no aliases');
  }
  if (typeof content !== 'object' || content === null || !Array.isArray((content as { models?: unknown }).models)) {
    return refuse('the file must hold "models", a list with id, port, provider and model each');
  }
  const unknown = Object.keys(content).filter((name) => name !== 'models');
  if (unknown.length > 0) refuse('the file must hold "models" and nothing else beside it');
  const { models } = content as { models: readonly unknown[] };
  return models.length > MOST_MODELS ? refuse(`the file must name at most ${MOST_MODELS} models`) : models;
}

/** Names that are in use: those of the models that the settings choose, and those of providers. */
function takenIds({ kinds, values }: ModelsFileFacts, ports: ModelPorts): [string, string][] {
  const chosen = [ports.embedding, ports.rerank, ports.chat].flatMap((port, at): [string, string][] => {
    const kind = [kinds.embeddingProvider, kinds.rerankProvider, kinds.chatProvider][at]!;
    const definition = port.adapters.find((adapter) => adapter.kind === kind);
    const model = definition?.modelOf?.(valuesOf(definition.settings, values));
    const names = definition?.models ?? (model === undefined ? [] : [model]);
    return names.map((name) => [`${kind}-${name}`.toLowerCase(), `the model of ${port.setting}`]);
  });
  const providers = Object.values(ports).flatMap(({ adapters }) =>
    adapters.map(({ kind }): [string, string] => [kind.toLowerCase(), `the provider ${kind}`]),
  );
  return [...providers, ...chosen];
}

function idIn(entry: unknown): string | undefined {
  const id = (entry as { id?: unknown } | null)?.id;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** What is counted is counted by provider and model: one such pair has one price. */
function findPriceConflicts(models: readonly FurtherModel[]): string[] {
  const prices = new Map<string, string>();
  return models.flatMap(({ id, provider, model, price }) => {
    if (price === undefined || model === undefined) return [];
    const name = `${provider}/${model}`;
    const text = JSON.stringify(price);
    const known = prices.get(name) ?? text;
    prices.set(name, known);
    return known === text
      ? []
      : [`${SETTING}: ${id} has another price than a model of the same provider and name; give both the same.`];
  });
}
