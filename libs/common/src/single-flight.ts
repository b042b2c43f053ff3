interface Flight<T> {
  readonly result: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
}

/**
 * Does work for the same key once for all who ask for it while it is under way: they get the same result, or the same error. Who leaves is
 * answered at once and takes nothing from the others; when all have left, the work is stopped.
 */
export class SingleFlight<T> {
  private readonly underWay = new Map<string, Flight<T>>();

  /** `work` is given a signal that is aborted when no one waits any more. @throws what it throws; the reason of `signal` after an abort */
  async run(key: string, work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const flight = this.underWay.get(key) ?? this.begin(key, work);
    flight.waiting += 1;
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = (): void => {
      flight.waiting -= 1;
      // Who comes now begins again: what is being stopped has nothing to give.
      if (flight.waiting === 0) this.forget(key, flight);
      if (flight.waiting === 0) flight.stop.abort(signal.reason);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([flight.result, left]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  private begin(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const stop = new AbortController();
    const flight: Flight<T> = { result: work(stop.signal).finally(() => this.forget(key, flight)), stop, waiting: 0 };
    this.underWay.set(key, flight);
    return flight;
  }

  private forget(key: string, flight: Flight<T>): void {
    if (this.underWay.get(key) === flight) this.underWay.delete(key);
  }
}
