import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { BackgroundLoop, SingleFlight } from '#libs/common';
import type { ComponentHealth } from './component-health.js';
import { ComponentChecks, COMPONENTS, type ComponentName, type ComponentStates } from './component-checks.service.js';

const LOOK_EVERY_MS = 10_000;
/** Time within which a scrape uses the result of the previous check. */
const FRESH_MS = 2_000;
/** Maximum time that a caller waits for the state of the components. */
const NEVER = new AbortController().signal;

interface Outage {
  /** By `performance.now()`. */
  readonly since: number;
  readonly status: ComponentHealth['status'];
}

/** Checks all components at intervals, and writes one line to the log when one of them fails or recovers. */
@Injectable()
export class ComponentWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly outages = new Map<ComponentName, Outage>();
  private readonly loop: BackgroundLoop;
  private readonly looking = new SingleFlight<ComponentStates>();
  private last: { readonly at: number; readonly states: ComponentStates } | undefined;

  constructor(
    private readonly checks: ComponentChecks,
    private readonly logger: PinoLogger,
  ) {
    this.loop = new BackgroundLoop(
      LOOK_EVERY_MS,
      async () => void (await this.states()),
      (error) => this.logger.warn({ err: error }, 'component.look_failed'),
    );
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** The state of every component, at most two seconds old. */
  async states(): Promise<ComponentStates> {
    if (this.last !== undefined && performance.now() - this.last.at <= FRESH_MS) return this.last.states;
    return this.looking.run('all', () => this.checkAll(), NEVER);
  }

  private async checkAll(): Promise<ComponentStates> {
    const at = performance.now();
    const states = await this.checks.checkAll();
    for (const name of COMPONENTS) this.note(name, states[name]);
    this.last = { at, states };
    return states;
  }

  /** A running warm-up is no outage. */
  private note(name: ComponentName, { status, detail }: ComponentHealth): void {
    const before = this.outages.get(name);
    const isOut = status === 'down' || (status === 'degraded' && name !== 'retrieval_warmup');
    if (isOut && before?.status !== status) {
      this.outages.set(name, { since: before?.since ?? performance.now(), status });
      this.logger.warn({ component: name, detail }, status === 'down' ? 'component.down' : 'component.degraded');
    }
    if (!isOut && before !== undefined) {
      this.outages.delete(name);
      this.logger.warn(
        { component: name, detail, awayMs: Math.round(performance.now() - before.since) },
        'component.restored',
      );
    }
  }
}
