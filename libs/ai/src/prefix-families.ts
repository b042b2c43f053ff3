/** Prefixes of questions and of texts of documents. */
export interface Prefixes {
  readonly query: string;
  readonly document: string;
}

const SENTENCE = { query: 'Represent this sentence for searching relevant passages: ', document: '' };

/** Families of embedding models by name, of which the first match counts, with the prefixes that their publishers name. */
const FAMILIES: readonly (readonly [name: RegExp, prefixes: Prefixes])[] = [
  [
    /(^|[-_/])e5-.*instruct/i,
    {
      query: 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ',
      document: '',
    },
  ],
  [/(^|[-_/])e5-/i, { query: 'query: ', document: 'passage: ' }],
  [/(^|[-_/])bge-(small|base|large)-en/i, SENTENCE],
  [/(^|[-_/])bge-(small|base|large)-zh/i, { query: '为这个句子生成表示以用于检索相关文章：', document: '' }],
  [/(^|[-_/])nomic-embed-text/i, { query: 'search_query: ', document: 'search_document: ' }],
  [/(^|[-_/])mxbai-embed-large/i, SENTENCE],
  [/(^|[-_/])snowflake-arctic-embed-[a-z]+-v2/i, { query: 'query: ', document: '' }],
  [/(^|[-_/])snowflake-arctic-embed/i, SENTENCE],
];

/** The prefixes of the family to which one of the names belongs; undefined for an unknown family, or one without prefixes. */
export function prefixesOfFamily(names: readonly string[]): Prefixes | undefined {
  return FAMILIES.find(([family]) => names.some((name) => family.test(name)))?.[1];
}
