// A process of its own that writes to an embedded store until it is killed; prints one line per acknowledged document.
// Usage: node --experimental-transform-types --conditions=source crash-writer.mjs <folder> <tenant> <dataset>
import { registerHooks } from 'node:module';

// Sources import each other by the names they have after the build.
registerHooks({
  resolve(specifier, context, next) {
    const relative = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
    return next(relative ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});

const { openLanceDbStore } = await import('../adapter/lancedb/open-lancedb-store.ts');
const { indexRef } = await import('../index-ref.ts');
const { newId } = await import('#libs/common');

const [directory, tenantId, datasetId] = process.argv.slice(2);
const store = await openLanceDbStore({ directory, optimiseAfterCommits: 5, keepVersionsMs: 0 });
const context = { tenantId, principal: { kind: 'system', permissions: new Set() }, requestId: 'crash-writer' };
const index = indexRef(context, datasetId, 'test-4');
await store.ensureIndex(index, { dimensions: 4, analysisVersion: 'test-1' });

for (;;) {
  const documentId = newId();
  const metadata = {
    documentId,
    documentName: 'crash.txt',
    mediaType: 'text/plain',
    language: null,
    createdAt: new Date().toISOString(),
    tags: [],
    metadata: {},
  };
  const chunk = {
    chunkId: newId(),
    documentId,
    ordinal: 0,
    generation: '1',
    terms: { words: ['alpha'], grams: [], title: [] },
    vector: Float32Array.of(1, 0, 0, 0),
    metadata,
  };
  await store.write(index, [chunk]);
  process.stdout.write(`${documentId}\n`);
}
