import { defineChatModel, defineEmbedder, defineReranker } from '../define-models.js';
import { EMBEDDING_MODEL } from '../model-settings.js';

const BUILTIN = { kind: 'builtin', settings: {}, processes: 'many', inProcess: true, packages: [] } as const;
const MEANING = 'meaning-v1';
const HASHING = 'hashing-v1';
/** The first is what a file of models means that names none: there was no other. */
const MODELS = [HASHING, MEANING] as const;

/** Meaning of English and spelling of other languages; spelling alone where what that needs is not installed. No service. */
export const builtinEmbedder = defineEmbedder({
  ...BUILTIN,
  settings: { name: EMBEDDING_MODEL },
  models: MODELS,
  modelOf: ({ name }) => name ?? MEANING,
  findProblems: ({ name }, isChosen) =>
    !isChosen || name === undefined || MODELS.some((one) => one === name)
      ? []
      : [`${EMBEDDING_MODEL.name}: with EMBEDDING_PROVIDER=builtin it is ${MEANING} or ${HASHING}.`],
  open: async ({ name }) => (await import('./open-builtin-embedder.js')).openBuiltinEmbedder(name),
  openFormer: async ({ name }) =>
    name === HASHING ? [] : [new (await import('./hashing-embedder.js')).HashingEmbedder()],
});

/** Shared words. */
export const builtinReranker = defineReranker({
  ...BUILTIN,
  modelOf: () => 'lexical-v1',
  open: async () => new (await import('./lexical-reranker.js')).LexicalReranker(),
});

/** Quotes sentences of the sources. */
export const builtinChatModel = defineChatModel({
  ...BUILTIN,
  modelOf: () => 'extractive-v1',
  open: async () => new (await import('./extractive-chat-model.js')).ExtractiveChatModel(),
});
