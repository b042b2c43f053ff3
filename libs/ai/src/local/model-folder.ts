import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { aiErrors } from '../ai.errors.js';
import { findExternalData, NotAnOnnxFileError } from './external-data.js';
import { prefixesOfFamily, type Prefixes } from '../prefix-families.js';
import { findLocalModelFiles } from './local-model-files.js';
import { packTokenizer } from './unigram-vocabulary.js';

/** How one vector is made of those of the tokens. */
export type Pooling = 'mean' | 'cls' | 'max' | 'last';

/** What an operator may say of a model beside its folder. */
export interface LocalModelOptions {
  /** `EMBEDDING_MODEL_PATH`. */
  readonly path: string;
  /** `EMBEDDING_MODEL`: the name that is shown; default: that of the folder. */
  readonly name?: string | undefined;
  /** `EMBEDDING_POOLING`. */
  readonly pooling?: Pooling | 'auto';
  /** `EMBEDDING_MAX_TOKENS`; 0: as the files say. */
  readonly maxTokens?: number;
  /** `EMBEDDING_THREADS`. */
  readonly threads?: number;
  /** `EMBEDDING_QUERY_PREFIX` and `EMBEDDING_DOCUMENT_PREFIX`; where both are empty, files and family decide. */
  readonly queryPrefix?: string;
  readonly documentPrefix?: string;
}

/** A model as its files describe it. */
export interface LocalModel {
  readonly name: string;
  /** Path of the ONNX file, or of the table of a static model. */
  readonly network: string;
  /** Whether it is a table of rows, one for each token (model2vec). */
  readonly isStatic: boolean;
  /** `tokenizer.json`, with the pieces of a Unigram model packed (`packTokenizer`). */
  readonly tokenizer: Json;
  readonly tokenizerConfig: object;
  readonly pooling: Pooling;
  /** Tokens that the model reads of a text, those that its tokenizer adds included. */
  readonly maxTokens: number;
  /** Put before every text of a purpose; mostly empty. */
  readonly prompts: Prefixes;
  /** What a classifier's numbers represent, in their order; empty for other models. */
  readonly labels: readonly string[];
  /** Hash (hex) of everything here that decides a vector. */
  readonly fingerprint: string;
  /** What earlier versions put before texts, and the fingerprint of that, where it was something else: they read the files alone. */
  readonly former: { readonly prompts: Prefixes; readonly fingerprint: string } | null;
}

/** Grows when the adapter computes something else from the same files. */
const ADAPTER_VERSION = 1;
/** Models that were made without a limit say something astronomical. */
const SANE_TOKENS = 1_000_000;
const FALLBACK_TOKENS = 512;
/** Families that keep the first two positions for themselves. */
const SHIFTED_POSITIONS = /roberta|camembert|mpnet/;
const KNOWN_MODULES = /\.(Transformer|Pooling|Normalize)$/;
const STATIC_MODULES = /\.(StaticEmbedding|Normalize)$/;

/**
 * Reads what a folder says of its model: files of `transformers`, and of sentence-transformers where they are there.
 * @throws `ai.local_model_unusable` with everything that is missing or cannot be computed here.
 */
export async function readModelFolder(options: LocalModelOptions): Promise<LocalModel> {
  const folder = resolve(options.path);
  const { network, missing, isStatic } = findLocalModelFiles(folder);
  if (network === undefined || missing.length > 0) {
    throw aiErrors.local_model_unusable({ path: folder, problems: missing.map((what) => `${what} is missing`) });
  }
  const json = (name: string): Promise<Json> => readJson(folder, name);
  const tokenizer = await json('tokenizer.json');
  const tokenizerConfig = await json('tokenizer_config.json');
  const config = await json('config.json');
  await refuseUnknownModules(folder, isStatic);
  const described = {
    pooling: choosePooling(options.pooling ?? 'auto', await json('1_Pooling/config.json')),
    maxTokens: chooseMaxTokens(options.maxTokens ?? 0, {
      sentence: await json('sentence_bert_config.json'),
      tokenizer: tokenizerConfig,
      network: config,
    }),
  };
  if (isStatic && described.pooling !== 'mean') {
    const problems = [`a static model is the mean of its rows, and EMBEDDING_POOLING says ${described.pooling}`];
    throw aiErrors.local_model_unusable({ path: folder, problems });
  }
  const name = options.name ?? basename(folder);
  const filed = promptsOf(await json('config_sentence_transformers.json'));
  const prompts = choosePrompts(options, filed, [basename(folder), String(config['_name_or_path'])]);
  const labels = readLabels(config);
  const weights = isStatic ? [network] : await findWeightFiles(network);
  const hash = (before: Prefixes): Promise<string> =>
    hashOf([ADAPTER_VERSION, { ...described, prompts: before }, tokenizer, tokenizerConfig], weights);
  const isSame = prompts.query === filed.query && prompts.document === filed.document;
  const former = isSame ? null : { prompts: filed, fingerprint: await hash(filed) };
  const said = { name, network, isStatic, ...described, prompts, labels };
  return { ...said, tokenizer: packTokenizer(tokenizer), tokenizerConfig, fingerprint: await hash(prompts), former };
}

type Json = Readonly<Record<string, unknown>>;

/** An object without members where there is no such file. */
async function readJson(folder: string, name: string): Promise<Json> {
  const path = join(folder, name);
  if (!existsSync(path)) return {};
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof value === 'object' && value !== null) return value as Json;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  throw aiErrors.local_model_unusable({ path: folder, problems: [`${name} holds no JSON object`] });
}

/** The network and the files beside it in which it keeps weights: the usual names first, then those that it says itself. */
async function findWeightFiles(network: string): Promise<readonly string[]> {
  const locations = await findExternalData(network).catch((error: unknown) => {
    // The runtime says better what is wrong with it.
    if (error instanceof NotAnOnnxFileError) return [];
    throw error;
  });
  const inside = locations.filter((location) => !isAbsolute(location) && !normalize(location).startsWith('..'));
  const beside = inside.map((location) => join(dirname(network), location));
  const named = [...new Set([network, `${network}_data`, `${network}.data`, ...beside])];
  return named.filter((path) => existsSync(path));
}

/** SHA-256 (hex) of facts and of files. */
async function hashOf(facts: readonly unknown[], files: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(facts));
  for (const path of files) await pipeline(createReadStream(path), hash, { end: false });
  return hash.digest('hex');
}

/** A projection behind the pooling, say, would be left out without a word. */
async function refuseUnknownModules(folder: string, isStatic: boolean): Promise<void> {
  const modules = Object.values(await readJson(folder, 'modules.json'));
  const types = modules.map((entry) => String((entry as Json | null)?.['type']));
  const unknown = types.filter((type) => !(isStatic ? STATIC_MODULES : KNOWN_MODULES).test(type));
  if (unknown.length === 0) return;
  const problems = unknown.map((type) => `modules.json asks for ${type}, which is not computed here`);
  throw aiErrors.local_model_unusable({ path: folder, problems });
}

function choosePooling(wanted: Pooling | 'auto', file: Json): Pooling {
  if (wanted !== 'auto') return wanted;
  const { pooling_mode: mode } = file;
  if (file['pooling_mode_cls_token'] === true || mode === 'cls') return 'cls';
  if (file['pooling_mode_max_tokens'] === true || mode === 'max') return 'max';
  if (file['pooling_mode_lasttoken'] === true || mode === 'lasttoken') return 'last';
  return 'mean';
}

/** The least of what the operator, sentence-transformers and the tokenizer say, and never more than the network has positions. */
function chooseMaxTokens(wanted: number, files: { sentence: Json; tokenizer: Json; network: Json }): number {
  const read = (value: unknown): number | undefined =>
    typeof value === 'number' && value > 0 && value < SANE_TOKENS ? Math.trunc(value) : undefined;
  const said = read(files.sentence['max_seq_length']) ?? read(files.tokenizer['model_max_length']);
  const positions = read(files.network['max_position_embeddings']);
  const taken = SHIFTED_POSITIONS.test(String(files.network['model_type'])) ? 2 : 0;
  const possible = positions === undefined ? Infinity : positions - taken;
  return Math.min(read(wanted) ?? said ?? FALLBACK_TOKENS, possible);
}

/** `id2label`, whose keys are the places of the numbers. */
function readLabels(file: Json): string[] {
  const named = (file['id2label'] ?? {}) as Json;
  return Object.keys(named).map((_, place) => {
    const label = named[place];
    return typeof label === 'string' ? label : '';
  });
}

/** The operator's, else those of the model's own files, else what its family is known to want. */
function choosePrompts(
  { queryPrefix = '', documentPrefix = '' }: LocalModelOptions,
  filed: Prefixes,
  names: readonly string[],
): Prefixes {
  // Settings lose white space at their end, which models want behind a prefix.
  const spaced = (prefix: string): string => (prefix === '' ? '' : `${prefix.trimEnd()} `);
  if (queryPrefix !== '' || documentPrefix !== '')
    return { query: spaced(queryPrefix), document: spaced(documentPrefix) };
  return filed.query !== '' || filed.document !== '' ? filed : (prefixesOfFamily(names) ?? filed);
}

function promptsOf(file: Json): Prefixes {
  const prompts = (file['prompts'] ?? {}) as Json;
  const of = (...names: unknown[]): string => {
    const found = names.map((name) => prompts[String(name)]).find((prompt) => typeof prompt === 'string');
    return found === undefined ? '' : String(found);
  };
  const fallback = file['default_prompt_name'];
  return { query: of('query', fallback), document: of('document', 'passage', fallback) };
}
