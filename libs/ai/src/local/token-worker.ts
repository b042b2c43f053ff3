/**
 * Computes vectors of texts that are given as tokens, in a thread of its own: reading the weights, and then each text, takes longer than the
 * serving thread may be. Imports packages only, so that the thread starts from the sources as from the build.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** What the thread is started with. */
export interface TokenModel {
  /** What errors call it: the folder of its files. */
  readonly network: string;
  /** The network in the ONNX format, without its weights. */
  readonly graph: Uint8Array;
  /** Names of what the network reads (whole numbers in a row) and gives (a vector). */
  readonly input: string;
  readonly output: string;
  /** The name under which the network looks for its weights. */
  readonly weights: string;
  /** Files that hold the weights, one behind the other, with the SHA-256 (hex) of each. */
  readonly shards: readonly (readonly [path: string, sha256: string])[];
}

interface Request {
  readonly id: number;
  readonly ids: readonly number[];
}

const model = workerData as TokenModel;

async function start(): Promise<(ids: readonly number[]) => Promise<Float32Array>> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node');
  const session = await InferenceSession.create(model.graph, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    externalData: [{ path: model.weights, data: readWeights() }],
  });
  return async (ids) => {
    const tokens = new Tensor('int64', BigInt64Array.from(ids, BigInt), [ids.length]);
    const { [model.output]: vector } = await session.run({ [model.input]: tokens }, [model.output]);
    if (vector?.data instanceof Float32Array) return Float32Array.from(vector.data);
    throw new Error('the network gives no vector');
  };
}

function readWeights(): Uint8Array {
  const files = model.shards.map(([path, sha256]) => {
    const bytes = readFileSync(path);
    if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
    throw new Error(`${path} is not the file that was released`);
  });
  return Buffer.concat(files);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const port = parentPort!;
try {
  const embed = await start();
  const probe = await embed([0]);
  let previous = Promise.resolve();
  port.on('message', ({ id, ids }: Request) => {
    previous = previous.then(async () => {
      try {
        port.postMessage({ kind: 'vector', id, vector: await embed(ids) });
      } catch (error) {
        port.postMessage({ kind: 'failed', id, message: messageOf(error) });
      }
    });
  });
  port.postMessage({ kind: 'ready', dimensions: probe.length });
} catch (error) {
  port.postMessage({ kind: 'unusable', code: String((error as { code?: unknown }).code), message: messageOf(error) });
}
