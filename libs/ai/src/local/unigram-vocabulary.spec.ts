import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openPacked, packTokenizer } from './unigram-vocabulary.js';

type Vocab = readonly (readonly [string, number])[];
/** What is used of the package, whose own declarations name files without extensions, which does not resolve here. */
interface TextTokenizer {
  model: unknown;
  encode(text: string): { readonly ids: number[] };
}
type Open = new (tokenizer: object, config: object) => TextTokenizer;
const Library = Tokenizer as unknown as Open;

const ADDED = ['<s>', '</s>', '<mask>'];
const SPECIAL: Vocab = [['<s>', 0], ['</s>', 0], ['<unk>', 0]]; // prettier-ignore

function tokenizerOf(pieces: Vocab): Record<string, unknown> {
  const vocab = [...SPECIAL, ...pieces];
  const token = (content: string, id: number): object => ({
    id,
    content,
    special: true,
    single_word: false,
    lstrip: content === '<mask>',
    rstrip: false,
    normalized: false,
  });
  const mark = (id: string): object => ({ SpecialToken: { id, type_id: 0 } });
  return {
    version: '1.0',
    added_tokens: [token('<s>', 0), token('</s>', 1), token('<unk>', 2), token('<mask>', vocab.length)],
    normalizer: { type: 'Precompiled', precompiled_charsmap: null },
    pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
    post_processor: {
      type: 'TemplateProcessing',
      single: [mark('<s>'), { Sequence: { id: 'A', type_id: 0 } }, mark('</s>')],
      pair: [],
      special_tokens: { '<s>': { id: '<s>', ids: [0], tokens: ['<s>'] }, '</s>': { id: '</s>', ids: [1], tokens: ['</s>'] } }, // prettier-ignore
    },
    decoder: null,
    model: { type: 'Unigram', unk_id: 2, vocab, byte_fallback: false },
  };
}

function packed(tokenizer: Record<string, unknown>): TextTokenizer {
  const json = packTokenizer(tokenizer);
  const opened = new Library(json, {});
  opened.model = openPacked(json);
  return opened;
}

const LETTERS = ['a', 'b', '▁', 'ü', 'я', 'ش', 'क', '्', 'ไ', '水', '、', '한', '😀', '🚀', '1', '.'];
const piece = fc.array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
// Few different scores: many ways through a text are equally likely, so that the order of the ways counts.
const score = fc.oneof(fc.constantFrom(-1, -2, -3.5, -7), fc.double({ min: -20, max: 0, noNaN: true }));
const vocabulary = fc.array(fc.tuple(piece, score), { minLength: 1, maxLength: 60 });
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...LETTERS, ' ', 'x', 'ﬁ', '＜mask＞', ...ADDED),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    {
      maxLength: 40,
    },
  )
  .map((parts) => parts.join(''));

describe('a packed Unigram vocabulary', () => {
  it('gives the ids of the library for any vocabulary and any text', () => {
    fc.assert(
      fc.property(vocabulary, fc.array(text, { minLength: 1, maxLength: 5 }), (pieces, texts) => {
        const tokenizer = tokenizerOf(pieces);
        const [library, own] = [new Library(tokenizer, {}), packed(tokenizer)];
        for (const one of texts) expect(own.encode(one).ids).toEqual(library.encode(one).ids);
      }),
      { numRuns: 1_500 },
    );
  });

  it('holds pieces in little more than their letters, in memory that threads share', () => {
    const pieces = Array.from({ length: 10_000 }, (_, n) => [`▁piece${n}`, -n] as const);
    const json = packTokenizer(tokenizerOf(pieces));
    const { packed: arrays, vocab } = json['model'] as { packed: Record<string, unknown>; vocab: unknown[] };
    const views = Object.values(arrays).filter((value) => ArrayBuffer.isView(value));
    expect(views.every(({ buffer }) => buffer instanceof SharedArrayBuffer)).toBe(true);
    const bytes = views.reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect((bytes - 2 * 65_536) / pieces.length).toBeLessThan(50);
    expect(vocab).toHaveLength(1);
    expect(packed(tokenizerOf(pieces)).encode('piece77 piece9999').ids).toEqual([0, 80, 10_002, 1]);
  });

  it.each([
    ['another kind of model', { model: { type: 'WordPiece', vocab: { a: 0 } } }],
    ['no model', { model: undefined }],
    ['no id for what is unknown', { model: { type: 'Unigram', unk_id: null, vocab: [['a', 0]] } }],
    ['an id that no piece has', { model: { type: 'Unigram', unk_id: 1, vocab: [['a', 0]] } }],
    ['a piece without a score', { model: { type: 'Unigram', unk_id: 0, vocab: [['a']] } }],
    [
      'a piece that is added under another id',
      { added_tokens: [{ content: 'a', id: 5 }], model: { type: 'Unigram', unk_id: 0, vocab: [['a', 0]] } },
    ],
  ])('is left to the library with %s', (_, tokenizer) => {
    expect(packTokenizer(tokenizer)).toBe(tokenizer);
    expect(openPacked(tokenizer)).toBeUndefined();
  });
});
