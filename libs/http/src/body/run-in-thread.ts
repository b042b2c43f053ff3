import { Worker } from 'node:worker_threads';
import { FairSemaphore } from '#libs/common';

export interface ThreadLimits {
  readonly seconds: number;
  readonly heapMegabytes: number;
}

export interface ThreadOptions {
  /** The tenant that it is done for; absent: the service itself. */
  readonly party?: string | undefined;
  /** Default: 10 s and 256 MiB. */
  readonly limits?: ThreadLimits;
}

/** The thread gave no result: it took too long or too much memory, or failed. */
export class ThreadEnded extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
    this.name = 'ThreadEnded';
  }
}

const USUAL: ThreadLimits = { seconds: 10, heapMegabytes: 256 };
const THREADS_MAX = 2;

const places = new FairSemaphore(THREADS_MAX);

/**
 * Runs `program` in a thread of its own, with `input` as its `workerData`, and gives the one message that it sends. At most two threads run at
 * once, and others wait. Tenants take turns, and one has at most one thread while others wait.
 * @throws ThreadEnded
 */
export async function runInThread<Result>(
  program: URL,
  input: unknown,
  { party = '', limits = USUAL }: ThreadOptions = {},
): Promise<Result> {
  return places.run(party, () => start<Result>(program, input, limits));
}

function start<Result>(program: URL, input: unknown, limits: ThreadLimits): Promise<Result> {
  const worker = new Worker(program, {
    workerData: input,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes },
  });
  return new Promise<Result>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new ThreadEnded(`it took longer than ${limits.seconds} s`)),
      limits.seconds * 1000,
    );
    worker.once('message', resolve);
    worker.once('error', (error: Error) => reject(new ThreadEnded(reasonOf(error, limits), error)));
    worker.once('exit', () => reject(new ThreadEnded('it ended without a result')));
    worker.once('exit', () => clearTimeout(timer));
  }).finally(() => void worker.terminate());
}

function reasonOf(error: Error & { code?: string }, limits: ThreadLimits): string {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return `it needs more than ${limits.heapMegabytes} MiB of memory`;
  return 'it broke off';
}
