import type { ChatModel } from '../chat-model.port.js';
import type { Embedder } from '../embedder.port.js';
import type { ModelCallOptions } from '../model-call.js';
import type { Reranker } from '../reranker.port.js';

/** A behaviour around every call of a model, for all ports. */
export interface ModelGuard {
  /** A call with one answer. `work` may be called more than once, each time with the options to pass on. */
  call<T>(work: (options: ModelCallOptions) => Promise<T>, options: ModelCallOptions): Promise<T>;
  /** A call whose answer comes in pieces; nothing starts before the first piece is asked for. */
  stream<T>(open: (options: ModelCallOptions) => AsyncIterable<T>, options: ModelCallOptions): AsyncIterable<T>;
}

/** A guard that looks at how a stream starts: once a piece has come, what follows passes through. */
export abstract class StartGuard implements ModelGuard {
  abstract call<T>(work: (options: ModelCallOptions) => Promise<T>, options: ModelCallOptions): Promise<T>;

  async *stream<T>(
    open: (options: ModelCallOptions) => AsyncIterable<T>,
    options: ModelCallOptions,
  ): AsyncGenerator<T> {
    const { pieces, first } = await this.call(async (passedOn) => {
      const iterator = open(passedOn)[Symbol.asyncIterator]();
      return { pieces: iterator, first: await iterator.next() };
    }, options);
    try {
      for (let next = first; next.done !== true; next = await pieces.next()) yield next.value;
    } finally {
      await pieces.return?.();
    }
  }
}

/** `embed` through a guard. */
export function guardEmbedder(inner: Embedder, guard: ModelGuard): Embedder {
  const embed: Embedder['embed'] = async (texts, purpose, options = {}) =>
    guard.call((passedOn) => inner.embed(texts, purpose, { ...options, ...passedOn }), options);
  return replaceMethods(inner, { embed });
}

/** `rerank` through a guard. */
export function guardReranker(inner: Reranker, guard: ModelGuard): Reranker {
  const rerank: Reranker['rerank'] = async (query, documents, options = {}) =>
    guard.call((passedOn) => inner.rerank(query, documents, { ...options, ...passedOn }), options);
  return replaceMethods(inner, { rerank });
}

/** `stream` through a guard. */
export function guardChatModel(inner: ChatModel, guard: ModelGuard): ChatModel {
  const stream: ChatModel['stream'] = (request, options = {}) =>
    guard.stream((passedOn) => inner.stream(request, { ...options, ...passedOn }), options);
  return replaceMethods(inner, { stream });
}

/** `target` with some of its methods replaced; everything else, also what a port does not name, is the target's. */
export function replaceMethods<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(object, name) {
      if (Object.hasOwn(methods, name)) return Reflect.get(methods, name);
      const value: unknown = Reflect.get(object, name, object);
      return typeof value === 'function' && name !== 'constructor' ? (value.bind(object) as unknown) : value;
    },
  });
}
