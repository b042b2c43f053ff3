import { describe, expect, it } from 'vitest';
import type { DocumentRow } from '../../documents/index.js';
import { DEFAULT_POLICY, type IngestionPolicy } from '../../ingestion-policy/index.js';
import { parsePlanOf } from './parse-options.js';

const LIMIT = 1_000_000;
const document = (mediaType: string): DocumentRow => ({ media_type: mediaType }) as DocumentRow;
const policy = (parsing: Partial<IngestionPolicy['parsing']>): IngestionPolicy => ({
  ...DEFAULT_POLICY,
  parsing: { ...DEFAULT_POLICY.parsing, ...parsing },
});

describe('the parsing options of a document', () => {
  it('are those of the policy for all types and for its own type', () => {
    const types = { 'application/pdf': { ocr: 'auto' as const, header_footer_removal: true } };
    const wanted = policy({ charset: 'koi8-r', types });
    expect(parsePlanOf(wanted, document('application/pdf'), LIMIT).options).toEqual({
      charset: 'koi8-r',
      headerFooterRemoval: true,
      ocr: 'auto',
      maxTextUnits: LIMIT,
    });
    expect(parsePlanOf(wanted, document('text/plain'), LIMIT).options).toMatchObject({
      headerFooterRemoval: false,
      ocr: 'off',
    });
  });

  it('have a fingerprint of everything that determines the text, and of nothing else', () => {
    const base = parsePlanOf(DEFAULT_POLICY, document('text/plain'), LIMIT).fingerprint;
    const chunking = { ...DEFAULT_POLICY, chunking: { ...DEFAULT_POLICY.chunking, chunk_size: 100 } };
    const limits = { ...DEFAULT_POLICY, limits: { ...DEFAULT_POLICY.limits, max_text_characters: 77 } };
    expect(parsePlanOf(chunking, document('text/plain'), LIMIT).fingerprint).toBe(base);
    expect(parsePlanOf(limits, document('text/plain'), LIMIT)).toMatchObject({
      fingerprint: base,
      options: { maxTextUnits: 77 },
    });
    expect(parsePlanOf(policy({ hidden: undefined }), document('text/plain'), LIMIT).fingerprint).toBe(base);
    for (const other of [
      { hidden: 'exclude' as const },
      { charset: 'big5' },
      { header_footer_removal: true },
      { ocr: 'auto' as const },
    ]) {
      expect(parsePlanOf(policy(other), document('text/plain'), LIMIT).fingerprint).not.toBe(base);
    }
  });
});
