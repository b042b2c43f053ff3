import { Worker } from 'node:worker_threads';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { accountErrors } from '../accounts.errors.js';
import type { StrengthAnswer, StrengthRequest } from './password-strength-worker.js';

const PROGRAM = new URL(`./password-strength-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);
/** Time after which the idle thread ends: new passwords are rare, and the dictionaries take about 40 MiB. */
const IDLE_MS = 60_000;
/** Maximum length of the queue; a longer one would answer later than clients wait. */
const MAX_WAITING = 32;

export type Strength = Pick<StrengthAnswer, 'score' | 'advice'>;

interface Waiting {
  readonly resolve: (strength: Strength) => void;
  readonly reject: (error: Error) => void;
}

/** Rates passwords with zxcvbn, in a thread that ends after a minute without work. */
@Injectable()
export class PasswordStrength implements OnModuleDestroy {
  private worker: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;

  /** `words` are words that an attacker would try first. Passwords are rated one after another. @throws `accounts.busy` */
  async estimate(password: string, words: readonly string[]): Promise<Strength> {
    if (this.waiting.size >= MAX_WAITING) throw accountErrors.busy({}, { retryAfter: 2 });
    clearTimeout(this.idle);
    this.worker ??= this.start();
    const worker = this.worker;
    worker.ref();
    return new Promise<Strength>((resolve, reject) => {
      this.lastId += 1;
      this.waiting.set(this.lastId, { resolve, reject });
      const request: StrengthRequest = { id: this.lastId, password, words };
      worker.postMessage(request);
    });
  }

  /** Ends the thread and rejects waiting calls. Another call of `estimate` starts it again. */
  async onModuleDestroy(): Promise<void> {
    clearTimeout(this.idle);
    await this.worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(PROGRAM, { env: {}, execArgv: [] });
    const end = (error: Error): void => {
      // If the thread had ended itself, waiting calls belong to its successor.
      if (this.worker !== worker) return;
      this.worker = undefined;
      const waiting = [...this.waiting.values()];
      this.waiting.clear();
      for (const { reject } of waiting) reject(error);
    };
    worker.on('message', (answer: StrengthAnswer) => this.settle(worker, answer));
    worker.on('error', end);
    worker.on('exit', () => end(new Error('The thread that rates passwords has ended.')));
    return worker;
  }

  private settle(worker: Worker, { id, score, advice }: StrengthAnswer): void {
    this.waiting.get(id)?.resolve({ score, advice });
    this.waiting.delete(id);
    if (this.waiting.size > 0) return;
    // An idle thread does not keep the process alive.
    worker.unref();
    this.idle = setTimeout(() => void this.retire(worker), IDLE_MS).unref();
  }

  private async retire(worker: Worker): Promise<void> {
    if (this.worker === worker) this.worker = undefined;
    await worker.terminate();
  }
}
