import { describe } from 'vitest';
import { openAdapter } from '#libs/config';
import { testValuesOf } from '../../../config/src/testing/test-values.js';
import { CHAT_MODELS, EMBEDDERS, RERANKERS } from '../model-adapters.js';
import { describeChatModel } from './describe-chat-model.js';
import { describeEmbedder } from './describe-embedder.js';
import { describeReranker } from './describe-reranker.js';

describe.each(EMBEDDERS.adapters)('EMBEDDING_PROVIDER=$kind', (definition) => {
  const values = testValuesOf(definition);
  describe.skipIf(values === undefined)('with the settings that this machine has', () => {
    describeEmbedder(definition.kind, () => openAdapter(EMBEDDERS, definition.kind, values ?? {}, {}));
  });
});

describe.each(RERANKERS.adapters)('RERANK_PROVIDER=$kind', (definition) => {
  const values = testValuesOf(definition);
  describe.skipIf(values === undefined)('with the settings that this machine has', () => {
    describeReranker(definition.kind, () => openAdapter(RERANKERS, definition.kind, values ?? {}, {}));
  });
});

describe.each(CHAT_MODELS.adapters)('CHAT_PROVIDER=$kind', (definition) => {
  const values = testValuesOf(definition);
  describe.skipIf(values === undefined)('with the settings that this machine has', () => {
    describeChatModel(definition.kind, () => openAdapter(CHAT_MODELS, definition.kind, values ?? {}, {}));
  });
});
