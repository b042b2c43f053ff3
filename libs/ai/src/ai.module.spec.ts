import { Test } from '@nestjs/testing';
import { describe, expect, it } from 'vitest';
import { AiModule, createModels, type AiModuleOptions } from './ai.module.js';
import { ChatModel } from './chat-model.port.js';
import { Embedder } from './embedder.port.js';
import { InstalledModels } from './installed-models.js';
import { Reranker } from './reranker.port.js';

const BUILTIN = { embedding: 'builtin', rerank: 'builtin', chat: 'builtin' } as const;

describe('AiModule', () => {
  it('provides the built-in models under their ports and shows them as what they are', async () => {
    const module = await Test.createTestingModule({ imports: [AiModule.forRoot(BUILTIN)] }).compile();
    expect(module.get(Embedder).descriptor).toMatchObject({ provider: 'builtin', kind: 'semantic', dimensions: 896 });
    expect(module.get(Reranker).descriptor).toMatchObject({ provider: 'builtin', kind: 'lexical' });
    expect(module.get(ChatModel).descriptor).toMatchObject({ provider: 'builtin', kind: 'extractive' });
    await module.close();
  });

  it('keeps the built-in model of earlier versions beside it, for the datasets that were made with it', async () => {
    const namesOf = async (options: Partial<AiModuleOptions>): Promise<unknown> => {
      const module = await Test.createTestingModule({
        imports: [AiModule.forRoot({ ...BUILTIN, ...options })],
      }).compile();
      const { embedders } = module.get(InstalledModels);
      expect(embedders.findNamed('builtin-hashing-v1')?.model.descriptor.space).toBe('builtin-hashing-v1-384');
      await module.close();
      return embedders.all.map(({ id, model }) => [id, model.descriptor.model]);
    };
    expect(await namesOf({})).toEqual([
      ['meaning-v1', 'meaning-v1'],
      ['hashing-v1', 'hashing-v1'],
    ]);
    expect(await namesOf({ values: { EMBEDDING_MODEL: 'hashing-v1' } })).toEqual([['hashing-v1', 'hashing-v1']]);
    const values = { EMBEDDING_MODEL: 'hashing-v1' };
    const further = [
      { id: 'words', port: 'embedding', provider: 'builtin', model: 'hashing-v1', values, price: undefined },
    ] as const;
    expect(await namesOf({ further })).toEqual([
      ['meaning-v1', 'meaning-v1'],
      ['words', 'hashing-v1'],
    ]);
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
