import type { Metrics } from './metrics.js';

/** Names of the methods of `T` that answer with a promise. */
export type AsyncMethods<T> = {
  [K in keyof T]: T[K] extends (...parameters: never[]) => Promise<unknown> ? K : never;
}[keyof T] &
  string;

/**
 * `target` with every call of the named methods timed and counted under `dependency`. Everything else passes through, so the
 * result stands in for `target` wherever its class is asked for.
 */
export function meterCalls<T extends object>(
  target: T,
  dependency: string,
  methods: readonly AsyncMethods<T>[],
  metrics: Metrics,
): T {
  const metered = new Map<PropertyKey, unknown>();
  for (const name of methods) {
    const method = target[name] as (...parameters: unknown[]) => Promise<unknown>;
    metered.set(name, async (...parameters: unknown[]) => {
      const began = performance.now();
      let outcome: 'ok' | 'error' = 'error';
      try {
        const result = await method.apply(target, parameters);
        outcome = 'ok';
        return result;
      } finally {
        metrics.observeCall(dependency, name, outcome, (performance.now() - began) / 1000);
      }
    });
  }
  return new Proxy(target, {
    get(object, name) {
      const replaced = metered.get(name);
      if (replaced !== undefined) return replaced;
      const value: unknown = Reflect.get(object, name, object);
      return typeof value === 'function' ? (value as (...parameters: unknown[]) => unknown).bind(object) : value;
    },
  });
}
