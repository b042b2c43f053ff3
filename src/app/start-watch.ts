import type { Logger } from 'pino';

/** A start takes less than this; then it says what holds it, and each time again. */
const QUIET_MS = 15_000;
const HOOKS = ['onModuleInit', 'onApplicationBootstrap'] as const;

/** Tells what a start waits for that does not come to its end: a migration or a provider, of a package say, may await what never comes. */
export class StartWatch {
  private readonly awaited = new Set<{ readonly what: string }>();
  private readonly since = performance.now();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly logger: Pick<Logger, 'warn'>,
    quietMs = QUIET_MS,
  ) {
    this.timer = setInterval(() => this.tell(), quietMs);
  }

  /** Does one thing of the start under its name. */
  async during<T>(what: string, work: () => Promise<T>): Promise<T> {
    const one = { what };
    this.awaited.add(one);
    try {
      return await work();
    } finally {
      this.awaited.delete(one);
    }
  }

  /** Names a provider while the framework awaits one of its hooks. */
  readonly follow = (instance: unknown): unknown => {
    if (typeof instance !== 'object' || instance === null || !Object.isExtensible(instance)) return instance;
    for (const hook of HOOKS) {
      const own: unknown = Reflect.get(instance, hook);
      if (typeof own !== 'function') continue;
      const value = (...given: unknown[]): Promise<unknown> =>
        this.during(`${instance.constructor.name}.${hook}`, async () => Reflect.apply(own, instance, given) as unknown);
      Object.defineProperty(instance, hook, { value, configurable: true, writable: true });
    }
    return instance;
  };

  /** The start has come to its end. */
  end(): void {
    clearInterval(this.timer);
  }

  private tell(): void {
    // What began last is what those before it wait for.
    const what = [...this.awaited].map((one) => one.what).toReversed();
    const seconds = Math.round((performance.now() - this.since) / 1_000);
    this.logger.warn({ seconds, for: what }, 'service.start_waits');
  }
}
