import { Worker } from 'node:worker_threads';
import { FairQueue } from '#libs/common';
import { aiErrors } from '../ai.errors.js';
import type { EmbeddingPurpose } from '../embedder.port.js';
import { isInteractive, type ModelCaller, type ModelCallOptions } from '../model-call.js';
import type { WorkerAnswer, WorkerPrograms, WorkerRequest } from './onnx-worker.js';
import type { WorkerModel } from './worker-model.js';
import type { TokenModel } from './token-worker.js';

/** What is computed: a text, a pair of texts, or tokens where the program takes these. */
type Asked = Omit<WorkerRequest, 'id' | 'text'> & { readonly text?: string; readonly ids?: readonly number[] };

const RUNTIME = 'onnxruntime-node';
/** Texts given to the thread at once: one that it computes and one that waits there, so that it never idles and a question waits for two at most. */
const IN_FLIGHT = 2;
/** The haste of what no person waits for. */
const BACKGROUND = 2;
/** This many texts of greater haste come before one that waits. */
const PASSED_OVER = 8;
const programOf = (name: string): URL =>
  new URL(`./${name}.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);
const PROGRAMS: WorkerPrograms = {
  unigram: programOf('unigram-vocabulary').href,
  crossEncoder: programOf('cross-encoder').href,
  staticEmbedding: programOf('static-embedding').href,
  safetensors: programOf('safetensors').href,
};
const LOAD_FAILURES = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED'];

interface Waiter {
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: Error) => void;
  readonly signal: AbortSignal | undefined;
}

interface Job {
  readonly id: number;
  readonly asked: Asked;
  /** All who ask for the same: each gets the vector. */
  readonly waiters: Waiter[];
  /** What they ask for; undefined where no one shares it. */
  readonly key: string | undefined;
}

/**
 * A thread that embeds one text after another. Questions come before other texts that a person waits for, and these before what is done in the background, but one that
 * was passed over eight times comes next; of each kind the tenants come in turn, text by text, however many texts each has waiting.
 * What several requests of one tenant ask for at one moment is computed once.
 */
export class OnnxThread {
  /** By haste: questions, texts that a person waits for, all others. */
  private readonly waiting = [new FairQueue<Job>(), new FairQueue<Job>(), new FairQueue<Job>()] as const;
  /** How often each of them was passed over since one of its texts came. */
  private readonly passedOver = [0, 0, 0];
  private readonly running = new Map<number, Job>();
  private worker: Promise<Worker> | undefined;
  private measured: number | undefined;
  /** What is waited for and not answered yet, by its key. */
  private readonly shared = new Map<string, Job>();
  private lastId = 0;

  constructor(
    private readonly model: WorkerModel | TokenModel,
    /** What errors call the model: its name alone where it lies in a folder. */
    private readonly name: string | { readonly provider: string; readonly model: string },
    private readonly program: URL = programOf('graph' in model ? 'token-worker' : 'onnx-worker'),
  ) {}

  /** Loads the model and tells the length of its vectors. @throws `ai.local_runtime_missing`, `ai.local_model_unusable` */
  async open(): Promise<number> {
    await this.acquire();
    if (this.measured === undefined) throw new Error('a thread that is ready has told the length of its vectors');
    return this.measured;
  }

  /** Ends the thread; what waits is refused. Another call of `embed` would start it again. */
  async close(): Promise<void> {
    const worker = await this.worker?.catch(() => undefined);
    await worker?.terminate();
  }

  /** @throws `ai.provider_unavailable` when the thread ends or cannot compute the text */
  async embed(
    text: string,
    purpose: EmbeddingPurpose,
    options: ModelCallOptions | undefined,
    pair?: string,
  ): Promise<Float32Array> {
    return this.ask({ text, ...(pair === undefined ? {} : { pair }) }, purpose, options);
  }

  /** Tokens of a text as the model's tokenizer makes them, uncut, those that it adds included; for programs that take texts. */
  async count(text: string, purpose: EmbeddingPurpose, options: ModelCallOptions | undefined): Promise<number> {
    const [tokens] = await this.ask({ text, counts: true }, purpose, options);
    return tokens!;
  }

  /** `embed` for a program that takes tokens. */
  async embedTokens(
    ids: readonly number[],
    purpose: EmbeddingPurpose,
    options: ModelCallOptions | undefined,
  ): Promise<Float32Array> {
    return this.ask({ ids }, purpose, options);
  }

  private async ask(
    asked: Asked,
    purpose: EmbeddingPurpose,
    { signal, caller }: ModelCallOptions = {},
  ): Promise<Float32Array> {
    signal?.throwIfAborted();
    await this.acquire();
    const vector = await new Promise<Float32Array>((resolve, reject) => {
      const waiter: Waiter = { resolve, reject, signal };
      const haste = hasteOf(purpose, caller);
      const tenant = caller?.tenantId ?? '';
      const key = haste === BACKGROUND ? undefined : JSON.stringify([tenant, purpose, asked]);
      const same = key === undefined ? undefined : this.shared.get(key);
      if (same !== undefined) {
        same.waiters.push(waiter);
        return;
      }
      this.lastId += 1;
      const job: Job = { id: this.lastId, asked, waiters: [waiter], key };
      if (key !== undefined) this.shared.set(key, job);
      this.waiting[haste]!.push(tenant, job);
      this.wake();
    });
    signal?.throwIfAborted();
    return vector;
  }

  private wake(): void {
    // Who waits has been told by the thread that ended.
    this.dispatch().catch(() => undefined);
  }

  private async dispatch(): Promise<void> {
    const worker = await this.acquire();
    while (this.running.size < IN_FLIGHT) {
      const job = this.next();
      if (job === undefined) break;
      if (job.waiters.every(({ signal }) => signal?.aborted === true)) {
        for (const { reject, signal } of this.end(job)) reject(signal?.reason as Error);
        continue;
      }
      this.running.set(job.id, job);
      worker.postMessage({ id: job.id, ...job.asked });
    }
    // An idle thread does not keep the process alive.
    if (this.running.size > 0) worker.ref();
    else worker.unref();
  }

  private next(): Job | undefined {
    const first = this.waiting.findIndex(({ size }) => size > 0);
    const due = this.waiting.findLastIndex(({ size }, haste) => size > 0 && this.passedOver[haste]! >= PASSED_OVER);
    const chosen = Math.max(first, due);
    for (const [haste, { size }] of this.waiting.entries()) {
      if (haste === chosen) this.passedOver[haste] = 0;
      else if (haste > chosen && size > 0) this.passedOver[haste]! += 1;
    }
    return this.waiting[chosen]?.shift()?.item;
  }

  private acquire(): Promise<Worker> {
    this.worker ??= this.start();
    return this.worker;
  }

  private start(): Promise<Worker> {
    const workerData = { ...this.model, ...PROGRAMS };
    const worker = new Worker(this.program, { workerData, env: {}, execArgv: [] });
    return new Promise<Worker>((resolve, reject) => {
      let isOver = false;
      const end = (error: Error): void => {
        // It says twice that it ends, and another thread may have begun between the two.
        if (isOver) return;
        isOver = true;
        this.worker = undefined;
        reject(error);
        this.refuseAll(error);
      };
      worker.on('message', (answer: WorkerAnswer) => {
        if (answer.kind === 'ready') {
          this.measured = answer.dimensions;
          worker.unref();
          resolve(worker);
        } else if (answer.kind === 'unusable') {
          end(this.unusable(answer));
        } else this.settle(answer);
      });
      worker.on('error', (cause) => end(this.unavailable(cause)));
      worker.on('exit', () => end(this.unavailable()));
    });
  }

  private settle(answer: Extract<WorkerAnswer, { readonly id: number }>): void {
    const job = this.running.get(answer.id);
    if (job === undefined) return;
    this.running.delete(answer.id);
    for (const [at, { resolve, reject }] of this.end(job).entries()) {
      if (answer.kind === 'vector') resolve(at === 0 ? answer.vector : answer.vector.slice());
      else reject(this.unavailable(new Error(answer.message)));
    }
    this.wake();
  }

  /** No one shares it from now on. The result is who waits for it. */
  private end({ key, waiters }: Job): readonly Waiter[] {
    if (key !== undefined) this.shared.delete(key);
    return waiters;
  }

  private refuseAll(error: Error): void {
    const jobs = [...this.running.values(), ...this.waiting.flatMap((line) => line.clear())];
    this.running.clear();
    for (const { reject } of jobs.flatMap((job) => this.end(job))) reject(error);
  }

  private unavailable(cause?: unknown): Error {
    const named = typeof this.name === 'string' ? { provider: 'local', model: this.name } : this.name;
    return aiErrors.provider_unavailable(named, { cause });
  }

  private unusable({ code, message }: { readonly code: string; readonly message: string }): Error {
    const [reason = ''] = message.split('\n');
    if (LOAD_FAILURES.includes(code) && /onnxruntime/.test(message)) {
      return aiErrors.local_runtime_missing({ package: RUNTIME, reason });
    }
    return aiErrors.local_model_unusable({ path: this.model.network, problems: [reason] });
  }
}

/** Statements that a search compares are texts of documents, and yet a person waits for them. */
function hasteOf(purpose: EmbeddingPurpose, caller: ModelCaller | undefined): number {
  if (purpose === 'query') return 0;
  return caller !== undefined && isInteractive(caller.purpose) ? 1 : BACKGROUND;
}
