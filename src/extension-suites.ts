/** The suites of the ports for packages of other teams. They load vitest and fast-check when they are called, the service never does. */
import type { ChatModel, Embedder, Reranker } from '#libs/ai';
import type { ObjectStorage } from '#libs/object-storage';
import type { VectorStore } from '#libs/vector-store';

/** Describes what every vector store does: `await describeVectorStore(name, open)` at the top of a spec. `open` is called once. */
export async function describeVectorStore(name: string, open: () => Promise<VectorStore>): Promise<void> {
  (await import('../libs/vector-store/src/testing/describe-vector-store.js')).describeVectorStore(name, open);
}

/** Describes what every object storage does. `make` gives an empty one. */
export async function describeObjectStorage(name: string, make: () => Promise<ObjectStorage>): Promise<void> {
  (await import('../libs/object-storage/src/testing/describe-object-storage.js')).describeObjectStorage(name, make);
}

/** Describes what every embedder does. `make` gives a fresh one. */
export async function describeEmbedder(name: string, make: () => Embedder | Promise<Embedder>): Promise<void> {
  (await import('../libs/ai/src/testing/describe-embedder.js')).describeEmbedder(name, make);
}

/** Describes what every reranker does. `make` gives a fresh one. */
export async function describeReranker(name: string, make: () => Reranker | Promise<Reranker>): Promise<void> {
  (await import('../libs/ai/src/testing/describe-reranker.js')).describeReranker(name, make);
}

/** Describes what every chat model does. `make` gives a fresh one. */
export async function describeChatModel(name: string, make: () => ChatModel | Promise<ChatModel>): Promise<void> {
  (await import('../libs/ai/src/testing/describe-chat-model.js')).describeChatModel(name, make);
}
