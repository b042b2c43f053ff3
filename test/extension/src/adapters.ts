import { defineChatModel, defineFormat, defineVectorStore } from 'knowledge-base-service/extension';

/** `VECTOR_STORE=acme`: everything in the memory of one process. */
export const acmeStore = defineVectorStore({
  kind: 'acme',
  settings: {},
  processes: 'one',
  packages: [],
  open: async () => new (await import('./store/acme-store.js')).AcmeStore(),
});

/** `CHAT_PROVIDER=acme`: quotes the sentence of each source that shares most words with the question. */
export const acmeModel = defineChatModel({
  kind: 'acme',
  settings: {},
  processes: 'many',
  packages: [],
  open: async () => new (await import('./model/acme-model.js')).AcmeModel(),
});

/** Files that begin with the line NOTE, then a title, then the text. */
export const noteFormat = defineFormat({
  mediaType: 'application/x-acme-note',
  family: 'text',
  extensions: ['note'],
  name: 'Note of Acme',
  parser: new URL('./format/note.parser.js', import.meta.url).href,
});
