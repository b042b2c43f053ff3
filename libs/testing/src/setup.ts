import 'reflect-metadata';
import fc from 'fast-check';

// The same cases at every run: a red run can be repeated, and a green one says the same everywhere.
fc.configureGlobal({ seed: 20_261_121 });

/**
 * A result of the file system, of DNS or of a hash reaches the event loop by a wake-up from another thread. Once in some hundred runs one came
 * only with the next timer, which was the limit of two minutes of the hook that waited for it. With a timer every second it costs a second.
 */
const AWAKE = Symbol.for('testing.awake');
(globalThis as Record<symbol, unknown>)[AWAKE] ??= setInterval(() => undefined, 1_000).unref();
