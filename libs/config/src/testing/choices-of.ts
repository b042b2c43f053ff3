import type { AdapterPort, AdapterPorts } from '../adapters/adapter.js';

/** One adapter without settings, for ports that a test is not about. */
function onlyOne(setting: string): AdapterPort<unknown, never> {
  const only = { kind: 'only', settings: {}, processes: 'many', packages: [], open: () => Promise.resolve() } as const;
  return { setting, section: 'Test', description: 'A port.', fallback: 'only', adapters: [only], announced: [] };
}

/** All ports, those that are given and stand-ins for the others. */
export function choicesOf(given: Partial<AdapterPorts>): AdapterPorts {
  return {
    vectorStore: onlyOne('VECTOR_STORE'),
    objectStorage: onlyOne('OBJECT_STORAGE'),
    embeddingProvider: onlyOne('EMBEDDING_PROVIDER'),
    rerankProvider: onlyOne('RERANK_PROVIDER'),
    chatProvider: onlyOne('CHAT_PROVIDER'),
    groundingMethod: onlyOne('GROUNDING_METHOD'),
    ...given,
  };
}
