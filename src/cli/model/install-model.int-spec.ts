import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeTinyCrossEncoder } from '../../../libs/ai/src/local/testing/tiny-cross-encoder.js';
import { writeTinyStaticModel } from '../../../libs/ai/src/local/testing/tiny-static-model.js';
import { makeZip } from '../../../libs/parsing/src/testing/make-zip.js';
import { chooseSource } from './choose-source.js';
import { installModel, type InstalledModel, type Installation } from './install-model.js';
import { InstalledModels } from './installed-models.js';
import type { Progress } from './progress.js';
import { makeTar, type TarMember } from './testing/make-tar.js';

const WORDS = ['pump', 'serviced', 'hours'];
const nobody = { begin: () => undefined, add: () => undefined, end: () => undefined, say: () => undefined } as Progress;
const FILES = ['config.json', 'model.onnx', 'tokenizer.json', 'tokenizer_config.json'];

let root: string;
let folder: string;
let models: InstalledModels;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'install-model-'));
  folder = join(root, 'tiny');
  await mkdir(folder);
  await writeTinyCrossEncoder(folder, WORDS);
  models = new InstalledModels(join(root, 'data', 'models'));
});
afterEach(() => rm(root, { recursive: true }));

async function install(from: string, more: Partial<Installation> = {}): Promise<InstalledModel> {
  const source = await chooseSource(from, {}, () => undefined);
  const usual = { replace: false, quantized: false, progress: nobody, signal: new AbortController().signal };
  return installModel({ ...usual, models, source, name: source.suggestedName, ...more });
}

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
}

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
const nothingLeft = (): Promise<void> => expect(readdir(root)).resolves.not.toContain('data');

async function archive(name: string, bytes: Buffer): Promise<string> {
  const path = join(root, name);
  await writeFile(path, bytes);
  return path;
}

async function membersOf(prefix = ''): Promise<{ name: string; data: Buffer }[]> {
  const names = await filesOf(folder);
  return Promise.all(names.map(async (name) => ({ name: prefix + name, data: await readFile(join(folder, name)) })));
}

const tarGz = (members: readonly TarMember[]): Buffer => gzipSync(makeTar(members));

describe('installing a model from a folder', () => {
  it('recognises by its labels a model that judges whether a text says a statement', async () => {
    await writeTinyCrossEncoder(folder, ['pump', 'serviced', '500', 'hours'], {
      labels: ['entailment', 'neutral', 'x'],
    });
    await expect(install(folder)).resolves.toMatchObject({
      proof: { use: 'grounding' },
      manifest: { use: 'grounding' },
    });
  });

  it('copies what the model needs and its terms, tries it and keeps a manifest', async () => {
    await writeFile(join(folder, 'LICENSE'), 'Do what you like.');
    await writeFile(join(folder, 'training_args.bin'), 'left out');
    const { path, manifest, proof } = await install(folder);
    expect(await filesOf(path)).toEqual(['LICENSE', ...FILES, 'model-manifest.json'].toSorted());
    expect(proof).toMatchObject({ use: 'reranking' });
    expect(proof.use === 'reranking' && proof.answering > proof.other).toBe(true);
    expect(JSON.parse(await readFile(join(path, 'model-manifest.json'), 'utf8'))).toEqual(manifest);
    expect(manifest).toMatchObject({ name: 'tiny', source: folder, use: 'reranking' });
    for (const file of manifest.files) expect(file.sha256).toBe(sha256(await readFile(join(path, file.path))));
    expect(await models.list()).toEqual([{ name: 'tiny', manifest }]);
    expect(await readdir(models.folder)).toEqual(['tiny']);
  });

  it('takes the table of a static model, and no network beside it, which asks for other inputs', async () => {
    await rm(folder, { recursive: true });
    await mkdir(folder);
    await writeTinyStaticModel(folder, ['pump', 'serviced', 'hours']);
    await mkdir(join(folder, 'onnx'));
    await writeFile(join(folder, 'onnx', 'model.onnx'), 'a network that asks for offsets');
    const { path, proof } = await install(folder);
    expect(await filesOf(path)).toEqual(
      ['config.json', 'model-manifest.json', 'model.safetensors', 'modules.json', 'tokenizer.json'].toSorted(),
    );
    expect(proof).toMatchObject({ use: 'embedding', dimensions: 7 });
    await expect(install(folder, { name: 'small', quantized: true })).rejects.toThrow('lacks a quantized network');
    expect(await readdir(models.folder)).toEqual(['tiny']);
  });

  it('takes a network beside the weights of another framework', async () => {
    await writeFile(join(folder, 'model.safetensors'), 'weights of another framework');
    expect(await filesOf((await install(folder)).path)).toEqual([...FILES, 'model-manifest.json'].toSorted());
  });

  it('takes weights that lie beside the network, whatever they are called', async () => {
    await writeTinyCrossEncoder(folder, WORDS, { weights: 'weights.bin' });
    const { path } = await install(folder);
    expect(await filesOf(path)).toContain('weights.bin');
    await rm(join(folder, 'weights.bin'));
    await expect(install(folder, { name: 'other' })).rejects.toThrow(
      `model.onnx keeps weights in weights.bin, which ${folder} lacks.`,
    );
    expect(await readdir(models.folder)).toEqual(['tiny']);
  });

  it('refuses weights outside of the folder', async () => {
    await writeTinyCrossEncoder(folder, WORDS, { weights: '../weights.bin' });
    await expect(install(folder)).rejects.toThrow('which is outside of its folder');
    await nothingLeft();
  });

  it('replaces a model of that name only when that is said', async () => {
    await install(folder);
    await expect(install(folder)).rejects.toThrow('There is a model tiny in');
    await writeFile(join(folder, 'LICENSE'), 'New terms.');
    const { path } = await install(folder, { replace: true });
    expect(await filesOf(path)).toContain('LICENSE');
    expect(await readdir(models.folder)).toEqual(['tiny']);
  });

  it('keeps the former model when the new one does not work', async () => {
    const { path } = await install(folder);
    await writeFile(join(folder, 'model.onnx'), 'not a network');
    await expect(install(folder, { replace: true })).rejects.toThrow(`model.onnx of ${folder} is no ONNX network.`);
    await writeFile(join(folder, 'model.onnx'), Buffer.from([8, 8]));
    await expect(install(folder, { replace: true })).rejects.toThrow('The model was tried and does not work.');
    expect(await readFile(join(path, 'model.onnx'))).not.toHaveLength(2);
    expect(await readdir(models.folder)).toEqual(['tiny']);
  });

  it('names everything that is missing and leaves nothing behind', async () => {
    await rm(join(folder, 'tokenizer.json'));
    await cp(join(folder, 'model.onnx'), join(folder, 'model_fp16.onnx'));
    await rm(join(folder, 'model.onnx'));
    await expect(install(folder)).rejects.toThrow(
      /lacks model\.onnx or onnx\/model\.onnx or .*, tokenizer\.json\. It has model_fp16\.onnx\.$/,
    );
    await nothingLeft();
  });

  it('takes the quantized network where it is asked for', async () => {
    await mkdir(join(folder, 'onnx'));
    await cp(join(folder, 'model.onnx'), join(folder, 'onnx/model_quantized.onnx'));
    const { manifest } = await install(folder, { quantized: true });
    expect(manifest.files.map(({ path }) => path)).toContain('onnx/model_quantized.onnx');
    expect(manifest.files.map(({ path }) => path)).not.toContain('model.onnx');
  });

  it('compares checksums that are beside the files', async () => {
    const network = await readFile(join(folder, 'model.onnx'));
    await writeFile(join(folder, 'SHA256SUMS'), `${sha256(network)}  model.onnx\n`);
    await install(folder, { name: 'right' });
    await writeFile(join(folder, 'SHA256SUMS'), `${sha256('another')}  model.onnx\n`);
    await expect(install(folder, { name: 'wrong' })).rejects.toThrow('model.onnx is damaged: its SHA-256 is');
    expect(await readdir(models.folder)).toEqual(['right']);
  });

  it('refuses names that lead elsewhere', async () => {
    for (const name of ['../tiny', '.hidden', 'a/b', '']) {
      await expect(install(folder, { name })).rejects.toThrow('cannot be the name of a model');
    }
    await nothingLeft();
  });

  it('follows links of a cache', async () => {
    const snapshot = join(root, 'snapshot');
    await mkdir(snapshot);
    for (const name of await filesOf(folder)) await symlink(join(folder, name), join(snapshot, name));
    const { path } = await install(snapshot);
    expect(await filesOf(path)).toEqual([...FILES, 'model-manifest.json'].toSorted());
  });
});

describe('installing a model from an archive', () => {
  it('takes zip, tar.gz and tar, with and without a folder around the files', async () => {
    const plain = await membersOf();
    const inside = await membersOf('./tiny-1.0/');
    const archives = [
      await archive('one.zip', makeZip(plain)),
      await archive(
        'two.zip',
        makeZip([{ name: 'tiny-1.0/', data: Buffer.alloc(0) }, ...(await membersOf('tiny-1.0/'))]),
      ),
      await archive('three.tar.gz', tarGz([{ name: './tiny-1.0/', type: '5' }, ...inside])),
      await archive('four.tar', makeTar(plain)),
      await archive('five.bin', tarGz([...inside, { name: '__MACOSX/._config.json', data: Buffer.from('x') }])),
    ];
    for (const path of archives) {
      const { path: installed } = await install(path);
      expect(await filesOf(installed)).toEqual([...FILES, 'model-manifest.json'].toSorted());
    }
    expect(await readdir(models.folder)).toHaveLength(archives.length);
  });

  it.each(['../evil.json', '/tmp/evil.json', 'a/../../evil.json', 'C:\\evil.json', '..\\evil.json'])(
    'refuses an entry %s and writes nothing',
    async (name) => {
      const members = [...(await membersOf()), { name, data: Buffer.from('{}') }];
      for (const path of [await archive('bad.zip', makeZip(members)), await archive('bad.tgz', tarGz(members))]) {
        await expect(install(path)).rejects.toThrow(`the entry ${JSON.stringify(name)} would be written outside`);
      }
      await nothingLeft();
      expect((await readdir(root)).toSorted()).toEqual(['bad.tgz', 'bad.zip', 'tiny']);
    },
  );

  it('refuses links, names that come twice and encrypted entries', async () => {
    const members = await membersOf();
    const link: TarMember = { name: 'tokenizer_config.json', type: '2', target: '/etc/hostname' };
    const linked = await archive('link.tgz', tarGz([...members, link]));
    await expect(install(linked)).rejects.toThrow('is a link or a device');
    const zipLink = { name: 'modules.json', data: Buffer.from('/etc/hostname'), mode: 0o120777 };
    await expect(install(await archive('link.zip', makeZip([...members, zipLink])))).rejects.toThrow('is a link');
    const twice = await archive('twice.zip', makeZip([...members, members[0]!]));
    await expect(install(twice)).rejects.toThrow('it holds "config.json" twice');
    const locked = await archive('locked.zip', makeZip(members.map((member) => ({ ...member, flags: 1 }))));
    await expect(install(locked)).rejects.toThrow('is encrypted');
    await nothingLeft();
  });

  it('refuses archives that unpack to far more than they are', async () => {
    const members = await membersOf();
    const others = members.filter(({ name }) => name !== 'model.onnx');
    const bomb = { name: 'model.onnx', data: Buffer.alloc(96 * 1024 * 1024) };
    const zip = await archive('bomb.zip', makeZip([...others, { ...bomb, claimedSize: 1000 }]));
    await expect(install(zip)).rejects.toThrow('it unpacks to more than 100 times its size');
    const tar = await archive('bomb.tgz', tarGz([...others, bomb]));
    await expect(install(tar)).rejects.toThrow('it unpacks to more than 100 times its size');
    await nothingLeft();
  });

  it('refuses what is damaged, cut or no archive', async () => {
    const members = await membersOf();
    const zip = makeZip(members);
    const tar = tarGz(members);
    const broken = [
      await archive('cut.zip', zip.subarray(0, zip.length - 30)),
      await archive('cut.tgz', tar.subarray(0, tar.length >> 1)),
      await archive('cut.tar', makeTar(members).subarray(0, 700)),
    ];
    for (const path of broken) await expect(install(path)).rejects.toThrow('it is damaged or incomplete');
    await expect(install(join(folder, 'config.json'))).rejects.toThrow('is neither a folder nor an archive');
    await expect(install(join(root, 'absent.zip'))).rejects.toThrow('is no folder, no archive and no model');
    await nothingLeft();
  });
});

describe('the folder of models', () => {
  it('removes a model by name, unless a setting names it', async () => {
    const { path } = await install(folder);
    const used = [['EMBEDDING_MODEL_PATH', path]] as const;
    await expect(models.remove('tiny', used)).rejects.toThrow(`EMBEDDING_MODEL_PATH names ${path}.`);
    await models.remove('tiny', [['RERANK_MODEL_PATH', folder]]);
    expect(await readdir(models.folder)).toEqual([]);
    await expect(models.remove('tiny', [])).rejects.toThrow('There is no model tiny');
  });

  it('brings a model back whose replacement was killed half-way', async () => {
    const { path, manifest } = await install(folder);
    await cp(path, join(models.folder, '.former-tiny'), { recursive: true });
    await rm(path, { recursive: true });
    await models.recover('tiny');
    expect(await models.list()).toEqual([{ name: 'tiny', manifest }]);
  });
});
