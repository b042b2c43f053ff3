import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SettingsError } from '#libs/config';
import { loadServiceSettings } from './adapters.js';

const KEY = 'sk-Zt4Q9wLk2Vb7Xm1Rn8Pd';
const GOOD = {
  id: 'small',
  port: 'embedding',
  provider: 'openai',
  model: 'text-embedding-3-small',
  api_key_env: 'A_KEY',
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-models-file-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function load(content: unknown, environment: Readonly<Record<string, string>> = {}): ReturnType<typeof settings> {
  const path = join(folder, 'models.yaml');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return settings({ MODELS_FILE: path, A_KEY: KEY, ...environment });
}

async function settings(
  environment: Readonly<Record<string, string>>,
): Promise<ReturnType<typeof loadServiceSettings>> {
  return Promise.resolve().then(() => loadServiceSettings({ DATA_DIR: folder, ...environment }));
}

async function problemsOf(content: unknown, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  return load(content, environment).then(
    () => '',
    (error: unknown) => {
      expect(error).toBeInstanceOf(SettingsError);
      return (error as Error).message;
    },
  );
}

const withEntry = (entry: object): object => ({ models: [{ ...GOOD, ...entry }] });

describe('MODELS_FILE', () => {
  it('gives each adapter its settings: key of a variable or of a file, address, length of vectors, prices', async () => {
    await writeFile(join(folder, 'key'), `${KEY}\n`);
    const { furtherModels } = await load({
      models: [
        { ...GOOD, base_url: 'http://127.0.0.1:9/v1', dimensions: 256, prices: { input: 0.02 } },
        { id: 'co', port: 'rerank', provider: 'cohere', model: 'rerank-v3.5', api_key_file: 'key' },
        { id: 'words', port: 'embedding', provider: 'builtin', model: 'hashing-v1' },
      ],
    });
    expect(furtherModels.map(({ id, port, provider, model }) => ({ id, port, provider, model }))).toEqual([
      { id: 'small', port: 'embedding', provider: 'openai', model: 'text-embedding-3-small' },
      { id: 'co', port: 'rerank', provider: 'cohere', model: 'rerank-v3.5' },
      { id: 'words', port: 'embedding', provider: 'builtin', model: 'hashing-v1' },
    ]);
    expect(furtherModels[0]!.values).toMatchObject({
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      EMBEDDING_DIMENSIONS: 256,
    });
    expect(furtherModels[0]!.price).toEqual({ input: 0.02, output: 0, request: 0 });
    expect(furtherModels[1]!.values).toMatchObject({ COHERE_API_KEY: KEY });
  });

  it('takes over how providers are dealt with from the settings, and nothing that is about another model', async () => {
    const { furtherModels } = await load(withEntry({}), {
      EMBEDDING_BATCH_SIZE: '7',
      EMBEDDING_QUERY_PREFIX: 'query:',
      OPENAI_API_KEY: 'sk-of-the-other',
      OPENAI_BASE_URL: 'http://127.0.0.1:7/v1',
      EMBEDDING_DIMENSIONS: '99',
    });
    const { values } = furtherModels[0]!;
    expect(values).toEqual({
      EMBEDDING_BATCH_SIZE: 7,
      PROVIDER_SILENCE_SECONDS: 60,
      EMBEDDING_MODEL: 'text-embedding-3-small',
      OPENAI_API_KEY: KEY,
    });
  });

  it('finds a local model by the name of its folder', async () => {
    await mkdir(join(folder, 'models', 'mini'), { recursive: true });
    const entry = { id: 'mini', port: 'embedding', provider: 'local', model: 'mini' };
    const problems = await problemsOf({ models: [entry] });
    expect(problems).toContain('MODELS_FILE: models[0].model: ');
    expect(problems).toContain('lacks');
    for (const name of ['model.onnx', 'tokenizer.json', 'config.json', 'tokenizer_config.json']) {
      await writeFile(join(folder, 'models', 'mini', name), '{}');
    }
    const { furtherModels } = await load({ models: [entry] });
    expect(furtherModels[0]!.values).toMatchObject({ EMBEDDING_MODEL_PATH: join(folder, 'models', 'mini') });
  });

  it('is read as YAML too', async () => {
    const yaml =
      'models:\n  - id: small\n    port: chat\n    provider: openai\n    model: gpt-4o-mini\n    api_key_env: A_KEY\n';
    expect((await load(yaml)).furtherModels[0]).toMatchObject({ id: 'small', port: 'chat', model: 'gpt-4o-mini' });
  });

  it.each<[string, object, string]>([
    ['an unknown field', { colour: 'red' }, 'models[0].colour: is unknown; known are id, port,'],
    ['an inline key', { api_key: KEY }, 'models[0].api_key: a key must not stand in this file; name a variable as'],
    ['a key under another name', { apiKey: KEY }, 'models[0].apiKey: a key must not stand in this file'],
    ['a missing id', { id: undefined }, 'models[0].id: must be 1 to 100 letters'],
    ['an id with a colon', { id: 'dataset:1' }, 'models[0].id: must be 1 to 100 letters'],
    [
      'the id of a configured model',
      { id: 'builtin-hashing-v1' },
      'models[0].id: is the id of the model of EMBEDDING_PROVIDER',
    ],
    [
      'the id of a configured chat model',
      { id: 'builtin-extractive-v1' },
      'is the id of the model of CHAT_PROVIDER already',
    ],
    ['the name of a provider as id', { id: 'openai' }, 'models[0].id: is the id of the provider openai already'],
    ['the name of the first chat model as id', { id: 'default' }, 'models[0].id: "default" names'],
    ['an unknown port', { port: 'vision' }, 'models[0].port: must be one of embedding, rerank, chat'],
    ['an unknown provider', { provider: 'acme' }, 'models[0].provider: must be a provider of this port: builtin,'],
    [
      'a provider that the port lacks',
      { port: 'chat', provider: 'local' },
      'models[0].provider: must be a provider of',
    ],
    ['no model', { model: undefined }, 'models[0].model: must be a text that is not empty'],
    [
      'a missing variable',
      { api_key_env: 'NOT_SET' },
      'models[0].api_key_env: names an environment variable that is not',
    ],
    [
      'a key for a variable',
      { api_key_env: KEY },
      'models[0].api_key_env: must be the name of an environment variable',
    ],
    [
      'a missing key file',
      { api_key_env: undefined, api_key_file: 'nowhere' },
      'models[0].api_key_file: the file cannot',
    ],
    ['two places for the key', { api_key_file: 'key' }, 'models[0].api_key_file: is given beside api_key_env'],
    ['no key', { api_key_env: undefined }, 'models[0].api_key_env: required unless base_url names'],
    [
      'an address of another kind',
      { base_url: 'ftp://x' },
      'models[0].base_url: must be a URL that begins with http://',
    ],
    ['an address with a key', { base_url: `http://u:${KEY}@x/v1` }, 'models[0].base_url: must hold no credentials'],
    ['a length of vectors in words', { dimensions: 'many' }, 'models[0].dimensions: must be a whole number above 0'],
    [
      'a length of a chat model',
      { port: 'chat', dimensions: 3 },
      'models[0].dimensions: the provider openai takes none',
    ],
    ['prices in words', { prices: 'cheap' }, 'models[0].prices: must hold an object'],
    ['a path for a folder', { provider: 'local', model: '../x' }, 'models[0].model: must be the name of a folder'],
    ['a name for the built-in model', { provider: 'builtin' }, 'models[0].model: must be hashing-v1 or meaning-v1'],
  ])('stops the start at %s and says what to change, without showing a key', async (_what, entry, problem) => {
    const problems = await problemsOf(withEntry(entry));
    expect(problems).toContain(`MODELS_FILE: ${problem.startsWith('models') ? problem : ''}`);
    expect(problems).toContain(problem);
    expect(problems).not.toContain(KEY);
  });

  it('lists all problems together, those of other settings too', async () => {
    const content = { models: [withEntryOf({ colour: 1, port: 'x' }), 7, GOOD, { ...GOOD, id: 'SMALL' }] };
    const problems = await problemsOf(content, { PORT: 'many' });
    for (const part of [
      'PORT: ',
      'models[0].colour',
      'models[0].port',
      'models[1]: must be an object',
      'models[3].id: is the',
    ]) {
      expect(problems).toContain(part);
    }
  });

  it.each<[string, string, string]>([
    ['broken text', `models: [{id: "a", api_key: "${KEY}"`, 'the file is no YAML or JSON'],
    ['a list', '[]', 'the file must hold "models"'],
    ['something beside it', '{"models": [], "more": 1}', 'nothing else beside it'],
    ['an alias', 'models: [&a {id: x}, *a]', 'the file must hold no aliases'],
    ['an empty file', '', 'the file must hold "models"'],
  ])('refuses %s', async (_what, text, problem) => {
    const problems = await problemsOf(text);
    expect(problems).toContain(`MODELS_FILE: ${problem.startsWith('the') ? problem : ''}`);
    expect(problems).toContain(problem);
    expect(problems).not.toContain(KEY);
  });

  it('must be there', async () => {
    await expect(settings({ MODELS_FILE: join(folder, 'nowhere') })).rejects.toThrow(
      'the file cannot be read (ENOENT)',
    );
  });
});

function withEntryOf(entry: object): object {
  return { ...GOOD, id: 'other', ...entry };
}
