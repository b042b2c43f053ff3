import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { writeTinyCrossEncoder } from '../../../libs/ai/src/local/testing/tiny-cross-encoder.js';
import type { Patience } from './download.js';
import { readHubAddress } from './hub-address.js';
import { HubSource } from './hub-source.js';
import { installModel, type InstalledModel } from './install-model.js';
import { InstalledModels } from './installed-models.js';
import type { Progress } from './progress.js';
import { ModelHub } from './testing/model-hub.js';

const nobody = { begin: () => undefined, add: () => undefined, end: () => undefined, say: () => undefined } as Progress;

let root: string;
let hub: ModelHub;
let base: string;
let models: InstalledModels;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'model-hub-'));
  const folder = join(root, 'tiny');
  await mkdir(folder);
  await writeTinyCrossEncoder(folder, ['pump', 'serviced', 'hours']);
  const files = new Map<string, Buffer>();
  for (const name of await readdir(folder)) files.set(name, await readFile(join(folder, name)));
  // Published models keep the network in a folder, and much beside it.
  files.set('onnx/model.onnx', files.get('model.onnx')!);
  files.delete('model.onnx');
  files.set('pytorch_model.bin', Buffer.alloc(5000));
  hub = new ModelHub(files);
  base = await hub.start();
  models = new InstalledModels(join(root, 'data', 'models'));
});
afterEach(async () => {
  await hub.stop();
  await rm(root, { recursive: true });
});

function install(
  patience: Patience = { fruitless: 1 },
  signal = new AbortController().signal,
): Promise<InstalledModel> {
  const source = new HubSource(readHubAddress('acme/tiny', { base })!, { pauseMs: 5, silenceMs: 5000, ...patience });
  return installModel({ models, source, name: 'tiny', replace: false, quantized: false, progress: nobody, signal });
}

const rangesOf = (path: string): (string | undefined)[] =>
  hub.asked.filter((asked) => asked.path === path).map(({ range }) => range);
const nothingLeft = (): Promise<void> => expect(readdir(root)).resolves.not.toContain('data');
const NETWORK = 'onnx/model.onnx';

describe('installing a model from a hub', () => {
  it('asks for what the model needs and nothing else', async () => {
    const { path, manifest } = await install();
    expect(hub.asked.map((asked) => asked.path).toSorted()).toEqual([
      'config.json',
      NETWORK,
      'tokenizer.json',
      'tokenizer_config.json',
    ]);
    expect(manifest.source).toBe(`${base}/acme/tiny (main)`);
    expect(await readFile(join(path, NETWORK))).toEqual(hub.files.get(NETWORK));
    expect((await readdir(path, { recursive: true })).filter((name) => /part|\.source/.test(name))).toEqual([]);
  });

  it('goes on by itself where the connection was cut', async () => {
    hub.cuts.set(NETWORK, [300, 200]);
    const { path } = await install({ fruitless: 5 });
    // A connection that the server has just cut may be taken once more, which brings no byte and asks for the same part again.
    expect([...new Set(rangesOf(NETWORK))]).toEqual([undefined, 'bytes=300-', 'bytes=500-']);
    expect(await readFile(join(path, NETWORK))).toEqual(hub.files.get(NETWORK));
  });

  it('goes on with what a former run left, and does not ask again for what is whole', async () => {
    hub.cuts.set('tokenizer.json', [300]);
    await expect(install()).rejects.toMatchObject({ resumable: true });
    expect(await readdir(models.folder)).toEqual(['.unfinished-tiny']);
    hub.asked.splice(0);
    const { path } = await install();
    expect(rangesOf(NETWORK)).toEqual([]);
    expect(rangesOf('tokenizer.json')).toEqual(['bytes=300-']);
    for (const name of [NETWORK, 'tokenizer.json']) {
      expect(await readFile(join(path, name))).toEqual(hub.files.get(name));
    }
    expect(await readdir(models.folder)).toEqual(['tiny']);
  });

  it('does not go on with another version, even where the server does not compare them', async () => {
    hub.cuts.set(NETWORK, [300]);
    await expect(install()).rejects.toMatchObject({ resumable: true });
    hub.version = 2;
    hub.ignoresConditions = true;
    await install({ fruitless: 2 });
    expect(rangesOf(NETWORK)).toEqual([undefined, 'bytes=300-', undefined]);
  });

  it('begins a file again when it has changed meanwhile, or when the server knows no ranges', async () => {
    hub.cuts.set(NETWORK, [300]);
    await expect(install()).rejects.toMatchObject({ resumable: true });
    hub.version = 2;
    hub.files.set(NETWORK, Buffer.concat([hub.files.get(NETWORK)!, Buffer.from([0x1a, 0x00])]));
    hub.cuts.set(NETWORK, [100]);
    hub.ignoresRanges = true;
    const { path } = await install({ fruitless: 2 });
    expect(await readFile(join(path, NETWORK))).toEqual(hub.files.get(NETWORK));
    expect(rangesOf(NETWORK)).toEqual([undefined, 'bytes=300-', 'bytes=100-']);
  });

  it.each([NETWORK, 'config.json', 'tokenizer.json'])(
    'refuses %s with another checksum than the list names',
    async (path) => {
      hub.wrongChecksums.set(path, 'ab'.repeat(32));
      await expect(install()).rejects.toThrow(`${path} is damaged`);
      await nothingLeft();
    },
  );

  it('refuses a part of another file that fits in length', async () => {
    hub.cuts.set(NETWORK, [300]);
    await expect(install()).rejects.toMatchObject({ resumable: true });
    await writeFile(join(models.folder, '.unfinished-tiny', `${NETWORK}.part`), Buffer.alloc(300));
    await expect(install()).rejects.toThrow(`${NETWORK} is damaged`);
    await expect(readdir(models.folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('names a file that the model lacks, and one that the hub lists and does not have', async () => {
    const tokenizer = hub.files.get('tokenizer.json')!;
    hub.files.delete('tokenizer.json');
    await expect(install()).rejects.toThrow('it lacks tokenizer.json.');
    hub.files.set('tokenizer.json', tokenizer);
    const list = await new HubSource(readHubAddress('acme/tiny', { base })!).list(new AbortController().signal);
    expect(list.map(({ path }) => path)).toContain('tokenizer.json');
    const missing = new HubSource(readHubAddress('acme/tiny', { base })!);
    missing.list = () => Promise.resolve(list);
    hub.files.delete('tokenizer.json');
    const rest = {
      name: 'tiny',
      replace: false,
      quantized: false,
      progress: nobody,
      signal: new AbortController().signal,
    };
    await expect(installModel({ models, source: missing, ...rest })).rejects.toThrow(
      `${base}/acme/tiny/resolve/main/tokenizer.json does not exist (404).`,
    );
    await nothingLeft();
  });

  it('asks again when the hub is busy, and says what it answers when that does not end', async () => {
    hub.listStatuses.push(503, 429);
    await install();
    hub.listStatuses.push(503, 503, 503);
    const source = new HubSource(readHubAddress('acme/tiny', { base })!, { pauseMs: 5 });
    const listed = source.list(new AbortController().signal);
    await expect(listed).rejects.toMatchObject({ resumable: true, message: expect.stringContaining('answers 503') });
  });

  it('says that an address is no hub, that a model is not public, and that no one answers', async () => {
    hub.listStatuses.push(401);
    await expect(install()).rejects.toThrow('the model is not public or does not exist');
    const elsewhere = new HubSource(readHubAddress('acme/other', { base })!);
    await expect(elsewhere.list(new AbortController().signal)).rejects.toThrow('does not exist (404)');
    await hub.stop();
    await expect(install()).rejects.toThrow('cannot be reached');
    await nothingLeft();
    await hub.start();
  });

  it('stops when it is told to, and keeps what has come', async () => {
    const stop = new AbortController();
    hub.cuts.set(NETWORK, [300, 0, 0, 0, 0, 0, 0, 0]);
    const running = install({ fruitless: 8, pauseMs: 20_000 }, stop.signal);
    const stopped = expect(running).rejects.toThrow('enough');
    await until(() => rangesOf(NETWORK).length > 0);
    stop.abort(new Error('enough'));
    await stopped;
    expect(await readdir(models.folder)).toEqual(['.unfinished-tiny']);
  });
});
