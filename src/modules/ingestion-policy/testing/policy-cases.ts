import { CHUNKING_STRATEGIES } from '#libs/text';

/** Policies that are taken. */
export const GOOD_POLICIES: readonly { readonly what: string; readonly policy: unknown }[] = [
  ...CHUNKING_STRATEGIES.map((strategy) => ({ what: `the strategy ${strategy}`, policy: { chunking: { strategy } } })),
  { what: 'the smallest chunks', policy: { chunking: { chunk_size: 64, chunk_overlap: 31 } } },
  { what: 'the largest chunks', policy: { chunking: { chunk_size: 4096, chunk_overlap: 2047 } } },
  { what: '32 separators', policy: { chunking: { separators: Array.from({ length: 32 }, () => '\n') } } },
  { what: 'a whole number with a decimal point', policy: { chunking: { chunk_size: 512.0 } } },
  { what: 'a separator of 64 characters', policy: { chunking: { separators: ['\u{1F600}'.repeat(64)] } } },
  { what: 'an encoding for one type', policy: { parsing: { types: { 'text/plain': { charset: 'Windows-1251' } } } } },
  {
    what: 'a type that is recognised again',
    policy: { parsing: { charset: 'koi8-r', types: { 'text/csv': { charset: null } } } },
  },
  { what: 'OCR for PDF alone', policy: { parsing: { types: { 'application/pdf': { ocr: 'auto' } } } } },
  { what: 'allowed types', policy: { governance: { allowed_types: ['application/pdf', 'application/vnd.ms-excel'] } } },
  { what: 'a largest size', policy: { governance: { max_bytes: 1 } } },
  {
    what: 'detectors',
    policy: { governance: { detectors: [{ entity_type: 'email', action: 'mask', min_score: 0 }] } },
  },
  { what: 'a rule for prompt injection', policy: { governance: { on_prompt_injection: 'quarantine' } } },
  { what: 'a longest text', policy: { limits: { max_text_characters: 1_000 } } },
  { what: 'an embedding model', policy: { embedding: { model: 'builtin-hashing-v1' } } },
  { what: 'empty sections', policy: { enrichment: {}, embedding: {}, tables: {}, kg: {}, retrieval_defaults: {} } },
];

/** A policy that is refused, and every pointer that the refusal names. */
export interface BadPolicy {
  readonly what: string;
  readonly policy: unknown;
  readonly pointers: readonly string[];
}

const bad = (what: string, policy: unknown, ...pointers: string[]): BadPolicy => ({ what, policy, pointers });

/** Policies that are refused, as JSON can hold them. */
export const BAD_POLICIES: readonly BadPolicy[] = [
  bad('a list', [], ''),
  bad('null', null, ''),
  bad('a text', 'recursive', ''),
  bad('a number', 512, ''),
  bad('true', true, ''),
  bad('an unknown section', { chunks: {} }, '/chunks'),
  bad('an unknown section with a slash and a tilde', { 'a/b~c': 1 }, '/a~1b~0c'),
  bad('an unknown section named like a part of every object', { constructor: {} }, '/constructor'),
  bad('a section that is null', { chunking: null }, '/chunking'),
  bad('a section that is a list', { parsing: [] }, '/parsing'),
  bad('a section that is a text', { governance: 'strict' }, '/governance'),
  bad('an unknown field of chunking', { chunking: { size: 1 } }, '/chunking/size'),
  bad('an option of a section that has none', { retrieval_defaults: { top_k: 5 } }, '/retrieval_defaults/top_k'),
  bad('an option of enrichment', { enrichment: { summaries: true } }, '/enrichment/summaries'),
  bad('an unknown option of embedding', { embedding: { name: 'x' } }, '/embedding/name'),
  bad('an embedding model that is a number', { embedding: { model: 1 } }, '/embedding/model'),
  bad('an embedding model without a name', { embedding: { model: '' } }, '/embedding/model'),
  bad('an address for an embedding model', { embedding: { base_url: 'http://x' } }, '/embedding/base_url'),
  bad('an option of tables', { tables: { rows: 1 } }, '/tables/rows'),
  bad('an option of kg', { kg: { mode: 'llm' } }, '/kg/mode'),
  bad('an unknown limit', { limits: { max_pages: 1 } }, '/limits/max_pages'),
  bad('an unknown strategy', { chunking: { strategy: 'magic' } }, '/chunking/strategy'),
  bad('a strategy in capitals', { chunking: { strategy: 'Recursive' } }, '/chunking/strategy'),
  bad('a strategy that is null', { chunking: { strategy: null } }, '/chunking/strategy', '/chunking/strategy'),
  bad('too small chunks', { chunking: { chunk_size: 63, chunk_overlap: 0 } }, '/chunking/chunk_size'),
  bad('too large chunks', { chunking: { chunk_size: 4097 } }, '/chunking/chunk_size'),
  bad('a size that is a text', { chunking: { chunk_size: '512' } }, '/chunking/chunk_size'),
  bad('a size with a fraction', { chunking: { chunk_size: 512.5 } }, '/chunking/chunk_size'),
  bad('a size beyond all numbers', { chunking: { chunk_size: Number.POSITIVE_INFINITY } }, '/chunking/chunk_size'),
  bad('a size that is null', { chunking: { chunk_size: null } }, '/chunking/chunk_size'),
  bad('a negative overlap', { chunking: { chunk_overlap: -1 } }, '/chunking/chunk_overlap'),
  bad('an overlap of half the size', { chunking: { chunk_size: 128, chunk_overlap: 64 } }, '/chunking/chunk_overlap'),
  bad('an overlap of half the default size', { chunking: { chunk_overlap: 256 } }, '/chunking/chunk_overlap'),
  bad('an overlap that is a list', { chunking: { chunk_overlap: [1] } }, '/chunking/chunk_overlap'),
  bad('separators that are a text', { chunking: { separators: '\n' } }, '/chunking/separators'),
  bad('33 separators', { chunking: { separators: Array.from({ length: 33 }, () => 'x') } }, '/chunking/separators'),
  bad('an empty separator', { chunking: { separators: ['x', ''] } }, '/chunking/separators/1'),
  bad('a separator of 65 characters', { chunking: { separators: ['x'.repeat(65)] } }, '/chunking/separators/0'),
  bad('a separator that is a number', { chunking: { separators: [1] } }, '/chunking/separators/0'),
  bad('a separator with NUL', { chunking: { separators: ['\u0000'] } }, '/chunking/separators/0'),
  bad('a separator with half a character', { chunking: { separators: ['\ud800'] } }, '/chunking/separators/0'),
  bad('a heading context that is a text', { chunking: { heading_context: 'yes' } }, '/chunking/heading_context'),
  bad('an unknown OCR mode', { parsing: { ocr: 'force' } }, '/parsing/ocr'),
  bad('an OCR mode that is true', { parsing: { ocr: true } }, '/parsing/ocr', '/parsing/ocr'),
  bad('a removal that is a number', { parsing: { header_footer_removal: 1 } }, '/parsing/header_footer_removal'),
  bad('an unknown encoding', { parsing: { charset: 'utf-99' } }, '/parsing/charset'),
  bad('an empty encoding', { parsing: { charset: '' } }, '/parsing/charset'),
  bad('an encoding that is a number', { parsing: { charset: 1252 } }, '/parsing/charset'),
  bad('a type that has no options', { parsing: { types: { 'image/png': {} } } }, '/parsing/types/image~1png'),
  bad('types that are a list', { parsing: { types: [] } }, '/parsing/types'),
  bad(
    'OCR for plain text',
    { parsing: { types: { 'text/plain': { ocr: 'auto' } } } },
    '/parsing/types/text~1plain/ocr',
  ),
  bad(
    'an encoding for PDF',
    { parsing: { types: { 'application/pdf': { charset: 'utf-8' } } } },
    '/parsing/types/application~1pdf/charset',
  ),
  bad(
    'an unknown encoding for one type',
    { parsing: { types: { 'text/csv': { charset: 'ebcdic-9' } } } },
    '/parsing/types/text~1csv/charset',
  ),
  bad('an unknown field of governance', { governance: { pii: true } }, '/governance/pii'),
  bad('detectors that are an object', { governance: { detectors: {} } }, '/governance/detectors'),
  bad(
    'a detector without anything',
    { governance: { detectors: [{}] } },
    '/governance/detectors/0/entity_type',
    '/governance/detectors/0/action',
  ),
  bad(
    'a detector with an unknown action',
    { governance: { detectors: [{ entity_type: 'email', action: 'drop' }] } },
    '/governance/detectors/0/action',
  ),
  bad(
    'a detector with a score above 1',
    { governance: { detectors: [{ entity_type: 'email', action: 'mask', min_score: 1.1 }] } },
    '/governance/detectors/0/min_score',
  ),
  bad(
    'a detector of no kind',
    { governance: { detectors: [{ entity_type: 'e-mail', action: 'mask' }] } },
    '/governance/detectors/0/entity_type',
  ),
  bad(
    'two detectors of one kind',
    {
      governance: {
        detectors: [
          { entity_type: 'email', action: 'mask' },
          { entity_type: 'email', action: 'allow' },
        ],
      },
    },
    '/governance/detectors/1/entity_type',
  ),
  bad('no allowed type', { governance: { allowed_types: [] } }, '/governance/allowed_types'),
  bad('an extension for a type', { governance: { allowed_types: ['pdf'] } }, '/governance/allowed_types/0'),
  bad('a type in capitals', { governance: { allowed_types: ['Text/Plain'] } }, '/governance/allowed_types/0'),
  bad(
    'a type with a parameter',
    { governance: { allowed_types: ['text/plain; charset=utf-8'] } },
    '/governance/allowed_types/0',
  ),
  bad('a largest size of nothing', { governance: { max_bytes: 0 } }, '/governance/max_bytes'),
  bad('a largest size that is a text', { governance: { max_bytes: '10 MB' } }, '/governance/max_bytes'),
  bad('an unknown rule', { governance: { on_prompt_injection: 'warn' } }, '/governance/on_prompt_injection'),
  bad('a longest text of nothing', { limits: { max_text_characters: 0 } }, '/limits/max_text_characters'),
  bad(
    'several things at once',
    { parsing: { charset: 'nope', x: 1 }, chunking: { chunk_size: 1, chunk_overlap: 0 }, kg: 3, more: {} },
    '/parsing/charset',
    '/parsing/x',
    '/chunking/chunk_size',
    '/kg',
    '/more',
  ),
];
