import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What a double does instead of answering well; all kinds: libs/ai/src/testing/doubles/fault.ts. */
export type ProviderFault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter?: string;
      readonly message?: string;
      readonly echoesKey?: boolean;
    }
  | { readonly kind: 'graph'; readonly variant: 'broken' | 'broken_once' | 'invented' | 'wrong_types' | 'hostile' }
  | { readonly kind: 'content_filter'; readonly after: number }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'endless'; readonly text: string }
  | { readonly kind: 'stream_error'; readonly after: number; readonly message: string };

/** What a double knows of a question; all kinds of answerers: libs/ai/src/testing/doubles/answerers.ts. */
export interface KnownAnswer {
  readonly question: string;
  readonly holds: readonly string[];
  readonly invented?: string;
  readonly foreign?: string;
}

/** A request that the double was sent. */
export interface ProviderRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly input?: readonly string[]; readonly texts?: readonly string[] };
}

/** A double of a provider of models in a process of its own. `stop` must be called. Plain Node runs this file as it is, for the drills. */
export class ProviderProcess {
  /** Address for `OPENAI_BASE_URL` or `COHERE_BASE_URL`. */
  readonly baseUrl: string;
  private readonly child: ChildProcess;
  private readonly origin: string;

  private constructor(child: ChildProcess, origin: string, baseUrl: string) {
    this.child = child;
    this.origin = origin;
    this.baseUrl = baseUrl;
  }

  static async start(kind: 'openai' | 'cohere'): Promise<ProviderProcess> {
    const child = spawn(process.execPath, ['scripts/provider-double.mjs', kind], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface(child.stdout)) {
      const { origin, baseUrl } = JSON.parse(line) as { origin: string; baseUrl: string };
      return new ProviderProcess(child, origin, baseUrl);
    }
    throw new Error('The double ended before it listened.');
  }

  /** Every request goes wrong like this; null: all is well. */
  always(fault: ProviderFault | null): Promise<void> {
    return this.put('always', fault);
  }

  /** The next requests go wrong, one fault each, in place of those that were named before. */
  next(...faults: readonly ProviderFault[]): Promise<void> {
    return this.put('faults', faults);
  }

  /** How it answers questions over sources from now on. */
  answersLike(kind: 'well' | 'invents' | 'ignores' | 'foreign', answers: readonly KnownAnswer[]): Promise<void> {
    return this.put('answerer', { kind, answers });
  }

  /** Milliseconds before each piece of a stream. */
  pace(pieceMs: number): Promise<void> {
    return this.put('settings', { pieceMs });
  }

  /** What it was sent, oldest first. */
  async requests(): Promise<readonly ProviderRequest[]> {
    return (await fetch(`${this.origin}/_double/requests`)).json() as Promise<ProviderRequest[]>;
  }

  /** Texts that it was asked to embed, answered or not, in order and as often as they came. */
  async textsToEmbed(): Promise<string[]> {
    return (await this.requests()).flatMap(({ body }) => body.input ?? body.texts ?? []);
  }

  async forgetRequests(): Promise<void> {
    await fetch(`${this.origin}/_double/requests`, { method: 'DELETE' });
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill();
    await ended;
  }

  private async put(what: string, body: unknown): Promise<void> {
    const { status } = await fetch(`${this.origin}/_double/${what}`, { method: 'PUT', body: JSON.stringify(body) });
    if (status !== 200) throw new Error(`The double answered ${status}.`);
  }
}
