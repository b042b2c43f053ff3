/** What only those know who work with the interface: names of fields and codes, types of media, ids, and words of the workshop. */
const SHOP_TALK: readonly RegExp[] = [
  /`/,
  /\b[a-z]+\d*(?:_[a-z\d]+)+\b/,
  /\b[A-Z]+(?:_[A-Z]+)+\b/,
  /\b(?:MALFORMED|TRUNCATED|ENCRYPTED)\b/,
  /\b(?:application|audio|font|image|message|model|multipart|text|video)\/[\w.+-]+/,
  /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-/i,
  /\bbinary data\b/i,
  /\b(?:chunks?|embeddings?|parsers?|re-?ingest(?:ed|ion|s)?|tokens?|worker|payload)\b/i,
];

/** Whether a sentence of the service is one that everybody understands. */
export const isPlain = (sentence: string): boolean => !SHOP_TALK.some((talk) => talk.test(sentence));
