import { copyFile, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TenantId } from '#libs/common';
import type { ModelPurpose } from '../model-call.js';
import { OnnxThread } from './onnx-thread.js';

const MODEL = {
  network: 'absent.onnx',
  isStatic: false,
  tokenizer: {},
  tokenizerConfig: {},
  pooling: 'mean',
  maxTokens: 8,
  threads: 1,
} as const;

describe('OnnxThread', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'onnx-thread-')));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('names the optional package, and what to do, when it is not installed', async () => {
    // A place from which the tokenizers can be imported, and the runtime cannot.
    const tokenizers = dirname(dirname(createRequire(import.meta.url).resolve('@huggingface/tokenizers')));
    await mkdir(join(folder, 'node_modules', '@huggingface'), { recursive: true });
    await symlink(tokenizers, join(folder, 'node_modules', '@huggingface', 'tokenizers'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const program = join(folder, 'onnx-worker.ts');
    await copyFile(fileURLToPath(new URL('./onnx-worker.ts', import.meta.url)), program);
    const thread = new OnnxThread(MODEL, 'a model', pathToFileURL(program));
    await expect(thread.open()).rejects.toMatchObject({
      code: 'ai.local_runtime_missing',
      message: expect.stringContaining('npm install onnxruntime-node') as string,
    });
    await expect(thread.embed('a text', 'query', undefined)).rejects.toMatchObject({
      code: 'ai.local_runtime_missing',
    });
  });

  it('refuses what waits for a thread that dies, and starts another one for the next text', async () => {
    const program = join(folder, 'dies.mjs');
    await writeFile(
      program,
      `import { parentPort } from 'node:worker_threads';
       parentPort.on('message', ({ id, text }) => {
         if (text === 'die') process.exit(1);
         parentPort.postMessage({ kind: 'vector', id, vector: Float32Array.of(1) });
       });
       parentPort.postMessage({ kind: 'ready', dimensions: 1 });`,
    );
    const thread = new OnnxThread(MODEL, 'a model', pathToFileURL(program));
    expect(await thread.open()).toBe(1);
    const lost = Promise.allSettled(['die', 'b', 'c'].map((text) => thread.embed(text, 'document', undefined)));
    const unavailable = expect.objectContaining({ code: 'ai.provider_unavailable' }) as Error;
    expect(await lost).toEqual(Array.from({ length: 3 }, () => ({ status: 'rejected', reason: unavailable })));
    expect(await thread.embed('d', 'document', undefined)).toEqual(Float32Array.of(1));
    await thread.close();
  });

  it.each([
    { asks: 'of another tenant', a: ['document'], b: ['document'], before: 8, by: 'b' },
    { asks: 'of a document beside questions', a: ['query'], b: ['document'], before: 24, by: 'b' },
    { asks: 'of a question beside documents', a: ['document'], b: ['query'], before: 6, by: 'b' },
    {
      asks: 'that a search compares beside documents of its tenant',
      a: ['document'],
      b: ['document', 'search'],
      before: 6,
      by: 'a',
    },
    {
      asks: 'of a question beside what other searches of its tenant compare',
      a: ['document', 'search'],
      b: ['query'],
      before: 6,
      by: 'a',
    },
    {
      asks: 'of a document beside what searches of its tenant compare',
      a: ['document', 'search'],
      b: ['document'],
      before: 24,
      by: 'a',
    },
  ] as const)('lets texts $asks wait for few others', async ({ a, b, before, by }) => {
    const program = join(folder, 'answers.mjs');
    await writeFile(
      program,
      `import { parentPort } from 'node:worker_threads';
       parentPort.on('message', ({ id }) => parentPort.postMessage({ kind: 'vector', id, vector: Float32Array.of(1) }));
       parentPort.postMessage({ kind: 'ready', dimensions: 1 });`,
    );
    const thread = new OnnxThread(MODEL, 'a model', pathToFileURL(program));
    await thread.open();
    const order: string[] = [];
    const embed = async (
      tenantId: string,
      [kind, purpose = 'ingestion']: readonly ['document' | 'query', ModelPurpose?],
      text: string,
    ): Promise<void> => {
      await thread.embed(text, kind, { caller: { tenantId: tenantId as TenantId, datasetIds: [], purpose } });
      order.push(text);
    };
    const many = Array.from({ length: 40 }, (_, n) => embed('a', a, `a${n}`));
    await Promise.all([...many, embed(by, b, 'b0'), embed(by, b, 'b1')]);
    expect(order).toHaveLength(42);
    expect(order.indexOf('b1')).toBeLessThan(before);
    await thread.close();
  });

  it('leaves what the next thread computes alone when the one before ends', async () => {
    const program = join(folder, 'second.mjs');
    await writeFile(
      program,
      `import { existsSync, writeFileSync } from 'node:fs';
       import { parentPort } from 'node:worker_threads';
       const mark = new URL('./was-here', import.meta.url);
       if (existsSync(mark)) {
         parentPort.on('message', ({ id }) =>
           setTimeout(() => parentPort.postMessage({ kind: 'vector', id, vector: Float32Array.of(1) }), 300));
         parentPort.postMessage({ kind: 'ready', dimensions: 1 });
       } else {
         writeFileSync(mark, '');
         parentPort.postMessage({ kind: 'unusable', code: 'x', message: 'not yet' });
         setTimeout(() => process.exit(0), 150);
       }`,
    );
    const thread = new OnnxThread(MODEL, 'a model', pathToFileURL(program));
    await expect(thread.embed('a', 'query', undefined)).rejects.toMatchObject({ code: 'ai.local_model_unusable' });
    expect(await thread.embed('a', 'query', undefined)).toEqual(Float32Array.of(1));
    await thread.close();
  });

  it('computes once what requests of one tenant ask for at one moment', async () => {
    const program = join(folder, 'counts.mjs');
    await writeFile(
      program,
      `import { parentPort } from 'node:worker_threads';
       let count = 0;
       parentPort.on('message', ({ id }) => parentPort.postMessage({ kind: 'vector', id, vector: Float32Array.of(++count) }));
       parentPort.postMessage({ kind: 'ready', dimensions: 1 });`,
    );
    const thread = new OnnxThread(MODEL, 'a model', pathToFileURL(program));
    await thread.open();
    const ask = (tenant: string, text: string, signal?: AbortSignal): Promise<Float32Array> => {
      const caller = { tenantId: tenant as TenantId, datasetIds: [], purpose: 'search' } as const;
      return thread.embed(text, 'query', { caller, ...(signal === undefined ? {} : { signal }) });
    };
    const given = new AbortController();
    const [left, first, second, other, foreign] = await Promise.allSettled([
      ask('a', 'x', given.signal),
      ask('a', 'x').then((vector) => vector.fill(9)),
      ask('a', 'x'),
      ask('a', 'y'),
      ask('b', 'x'),
      Promise.resolve(given.abort(new Error('left'))),
    ]);
    expect(left).toMatchObject({ status: 'rejected', reason: { message: 'left' } });
    expect([first, second, other, foreign].map((one) => (one.status === 'fulfilled' ? one.value : one.reason))).toEqual(
      [Float32Array.of(9), Float32Array.of(1), Float32Array.of(3), Float32Array.of(2)],
    );
    expect(await ask('a', 'x')).toEqual(Float32Array.of(4));
    await thread.close();
  });
});
