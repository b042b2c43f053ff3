import { Test } from '@nestjs/testing';
import { describe, expect, it } from 'vitest';
import { AiModule, createModels } from './ai.module.js';
import { ChatModel } from './chat-model.port.js';
import { Embedder } from './embedder.port.js';
import { Reranker } from './reranker.port.js';

const BUILTIN = { embedding: 'builtin', rerank: 'builtin', chat: 'builtin' } as const;

describe('AiModule', () => {
  it('provides the built-in models under their ports and shows them as what they are', async () => {
    const module = await Test.createTestingModule({ imports: [AiModule.forRoot(BUILTIN)] }).compile();
    expect(module.get(Embedder).descriptor).toMatchObject({ provider: 'builtin', kind: 'hashed', dimensions: 384 });
    expect(module.get(Reranker).descriptor).toMatchObject({ provider: 'builtin', kind: 'lexical' });
    expect(module.get(ChatModel).descriptor).toMatchObject({ provider: 'builtin', kind: 'extractive' });
    await module.close();
  });

  it('refuses the start with every setting that this version cannot serve', () => {
    expect(() => AiModule.forRoot({ embedding: 'acme', rerank: 'builtin', chat: 'local' })).toThrow(
      /EMBEDDING_PROVIDER=acme, CHAT_PROVIDER=local/,
    );
  });

  it('rejects with the code of the catalogue outside Nest too', async () => {
    await expect(createModels({ ...BUILTIN, rerank: 'acme' })).rejects.toMatchObject({
      code: 'ai.provider_not_available',
      facts: { settings: ['RERANK_PROVIDER=acme'] },
    });
  });
});
