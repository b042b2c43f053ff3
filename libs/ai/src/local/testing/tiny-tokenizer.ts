/** Ids of the tokens that every tiny model knows besides its words. */
export const SPECIAL_TOKENS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];

/** Vocabulary of a tiny model: the special tokens and these words (lower case), each with its id. */
export function vocabularyOf(words: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...SPECIAL_TOKENS, ...words].map((token, id) => [token, id]));
}

/** How texts of a tiny model become tokens, in the form of `tokenizer.json`. */
export interface TinyTokenizer {
  readonly vocab: Readonly<Record<string, number>>;
  /** What a text, and a pair of texts, are joined of. */
  readonly single: readonly object[];
  readonly pair: readonly object[];
  /** Of the part that looks words up, everything but the vocabulary. */
  readonly model: Readonly<Record<string, unknown>>;
}

/** `tokenizer.json` of a model in BERT's way. */
export function tinyTokenizer({ vocab, single, pair, model }: TinyTokenizer): string {
  return JSON.stringify({
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: SPECIAL_TOKENS.map((content, id) => ({
      id,
      content,
      special: true,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single,
      pair,
      special_tokens: Object.fromEntries(['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [vocab[id]], tokens: [id] }])),
    },
    decoder: null,
    model: { ...model, unk_token: '[UNK]', vocab },
  });
}
