import { createHash } from 'node:crypto';
import type { Embedder } from '../embedder.port.js';
import type { EmbeddingCache } from '../embedding-cache.port.js';
import { NO_USAGE } from '../model-usage.js';
import { replaceMethods } from './model-guard.js';

/**
 * Embeds only texts of documents that the tenant has not embedded into this space before; a text that occurs twice in a call is embedded once.
 * Calls without tenant or documents pass through: questions are not cached.
 */
export function cacheEmbeddings(inner: Embedder, cache: EmbeddingCache): Embedder {
  const embed: Embedder['embed'] = async (texts, purpose, options = {}) => {
    const { caller, documentIds } = options;
    const { space, maxBatchSize } = inner.descriptor;
    const isOurs = purpose === 'document' && texts.length > 0 && texts.length <= maxBatchSize;
    if (caller === undefined || documentIds === undefined || !isOurs) return inner.embed(texts, purpose, options);
    options.signal?.throwIfAborted();
    const hashes = texts.map((text) => createHash('sha256').update(text).digest());
    const names = hashes.map((hash) => hash.toString('hex'));
    const known = new Map(await cache.find(caller, space, hashes));
    const missing = [...new Set(names)].filter((name) => !known.has(name)).map((name) => names.indexOf(name));
    let usage = NO_USAGE;
    if (missing.length > 0) {
      const embedded = await inner.embed(
        missing.map((at) => texts[at]!),
        purpose,
        { ...options, documentIds: missing.map((at) => documentIds[at]!) },
      );
      usage = embedded.usage;
      for (const [index, at] of missing.entries()) known.set(names[at]!, embedded.vectors[index]!);
    }
    const kept = hashes.map((hash, at) => ({ hash, vector: known.get(names[at]!)!, documentId: documentIds[at]! }));
    await cache.keep(caller, space, kept);
    return { vectors: kept.map(({ vector }) => vector), usage };
  };
  return replaceMethods(inner, { embed });
}
