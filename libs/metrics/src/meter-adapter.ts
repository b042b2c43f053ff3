import { Readable, finished } from 'node:stream';
import type { Metrics } from './metrics.js';

/** Whose calls are measured. */
export interface MeteredPort {
  /** `vector_store`, `object_storage`, `embedder`, `reranker`, `chat_model` or `entailment_model`. */
  readonly port: string;
  /** The kind of the adapter, as settings name it. */
  readonly kind: string;
  /** Methods that are passed through: they end, or do the caller's work. */
  readonly unmetered: readonly string[];
}

/**
 * `target` with every call timed and counted: until its promise settles, until its stream has ended, until its iteration is over or
 * left. Leaving early is no error. Everything else passes through, so the result replaces `target` wherever its class is asked for.
 */
export function meterAdapter<T extends object>(target: T, port: MeteredPort, metrics: Metrics): T {
  const methods = new Map<PropertyKey, unknown>();
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name, object);
      if (typeof value !== 'function') return value;
      const known = methods.get(name);
      if (known !== undefined) return known;
      const method = value.bind(object) as Method;
      const isMetered = typeof name === 'string' && name !== 'constructor' && !port.unmetered.includes(name);
      const given = isMetered ? metered(method, { port, operation: name, metrics }) : method;
      methods.set(name, given);
      return given;
    },
  });
}

type Method = (...parameters: unknown[]) => unknown;

interface Metering {
  readonly port: MeteredPort;
  readonly operation: string;
  readonly metrics: Metrics;
}

function metered(method: Method, metering: Metering): Method {
  return (...parameters) => {
    const call = new MeteredCall(metering);
    try {
      const result = method(...parameters);
      if (result instanceof Promise) return settled(result, call);
      if (isAsyncIterable(result)) return iterated(result, call);
      return result;
    } catch (error) {
      call.end('error');
      throw error;
    }
  };
}

async function settled(promise: Promise<unknown>, call: MeteredCall): Promise<unknown> {
  try {
    const result = await promise;
    if (result instanceof Readable) finished(result, (error) => call.end(isFailure(error) ? 'error' : 'ok'));
    else call.end('ok');
    return result;
  } catch (error) {
    call.end(isLeaving(error) ? 'ok' : 'error');
    throw error;
  }
}

/** The caller did not wait for the end. */
function isLeaving(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** A reader that has seen enough closes the stream before its end. */
function isFailure(error: NodeJS.ErrnoException | null | undefined): boolean {
  return error !== null && error !== undefined && error.code !== 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Counted when it is begun: what no one iterates over was never called. */
async function* iterated(source: AsyncIterable<unknown>, call: MeteredCall): AsyncGenerator<unknown> {
  call.begin();
  let outcome: 'ok' | 'error' = 'ok';
  try {
    yield* source;
  } catch (error) {
    if (!isLeaving(error)) outcome = 'error';
    throw error;
  } finally {
    call.end(outcome);
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

class MeteredCall {
  private began = performance.now();

  constructor(private readonly metering: Metering) {}

  begin(): void {
    this.began = performance.now();
  }

  end(outcome: 'ok' | 'error'): void {
    const { port, operation, metrics } = this.metering;
    const seconds = (performance.now() - this.began) / 1000;
    metrics.observeCall({ dependency: port.port, kind: port.kind, operation, outcome }, seconds);
  }
}
