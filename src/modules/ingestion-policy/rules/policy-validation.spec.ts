import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY, SILENT_POLICY } from '../schema/ingestion-policy.entity.js';
import { checkPolicy, completePolicy, MAX_POLICY_BYTES, requireValidPolicy } from './policy-validation.js';
import { BAD_POLICIES, GOOD_POLICIES } from '../testing/policy-cases.js';

const pointersOf = (input: unknown): string[] => {
  const checked = checkPolicy(input);
  if (checked.policy !== undefined) throw new Error('The policy is valid.');
  return checked.problems.map(({ pointer }) => pointer).sort();
};

describe('a policy', () => {
  it('that is empty is the default', () => {
    expect(checkPolicy({})).toEqual({ policy: SILENT_POLICY });
  });

  it('that is complete does not change', () => {
    expect(checkPolicy(DEFAULT_POLICY)).toEqual({ policy: DEFAULT_POLICY });
  });

  it.each(GOOD_POLICIES)('may have $what', ({ policy }) => {
    const checked = checkPolicy(policy);
    expect(checked).not.toHaveProperty('problems');
    expect(checkPolicy(checked.policy), 'completed, it is valid as well').toEqual(checked);
  });

  it('keeps its values and fills in the rest of each section', () => {
    expect(checkPolicy({ chunking: { chunk_size: 256 }, parsing: { ocr: 'auto' } }).policy).toEqual({
      ...SILENT_POLICY,
      chunking: { ...DEFAULT_POLICY.chunking, chunk_size: 256 },
      parsing: { ...SILENT_POLICY.parsing, ocr: 'auto' },
    });
  });

  it('with small chunks and no overlap gets the largest possible overlap', () => {
    expect(checkPolicy({ chunking: { chunk_size: 64 } }).policy?.chunking.chunk_overlap).toBe(31);
    expect(checkPolicy({ chunking: { chunk_size: 65 } }).policy?.chunking.chunk_overlap).toBe(32);
    expect(checkPolicy({ chunking: { chunk_size: 129 } }).policy?.chunking.chunk_overlap).toBe(64);
  });

  it('is not modified by validation', () => {
    const input = {
      chunking: { chunk_size: 64 },
      governance: { detectors: [{ entity_type: 'email', action: 'mask' }] },
    };
    const before = structuredClone(input);
    checkPolicy(input);
    expect(input).toEqual(before);
  });

  it('whose sections are the same object in the file gets separate sections', () => {
    const shared = {};
    expect(checkPolicy({ parsing: shared, chunking: shared, governance: shared })).toEqual({ policy: SILENT_POLICY });
  });
});

describe('a bad policy', () => {
  it.each([
    ['/chunking/chunk_size', { chunking: { chunk_size: Number.NaN } }],
    ['/chunking/chunk_size', { chunking: { chunk_size: Number.NaN, chunk_overlap: 10 } }],
    ['/chunking/chunk_overlap', { chunking: { chunk_size: 512, chunk_overlap: Number.NaN } }],
    ['/retrieval_defaults/top_k', { retrieval_defaults: { top_k: Number.NaN, candidate_k: 10 } }],
  ])('with NaN is refused only for that: %s', (pointer, policy) => {
    expect(pointersOf(policy)).toEqual([pointer]);
  });

  it.each(BAD_POLICIES)('is refused with the right pointers: $what', ({ policy, pointers }) => {
    expect(pointersOf(policy)).toEqual([...pointers].sort());
  });

  it('is refused with a code and a remedy for every problem', () => {
    for (const { policy } of BAD_POLICIES) {
      const checked = checkPolicy(policy);
      for (const problem of checked.policy === undefined ? checked.problems : []) {
        expect(problem).toEqual({
          pointer: expect.any(String),
          code: expect.stringMatching(/^[a-z_]+$/),
          detail: expect.stringMatching(/\S.{5,}/),
        });
      }
    }
  });

  it('is refused with the known fields and values', () => {
    expect(checkPolicy({ chunking: { size: 1, strategy: 'magic' } })).toMatchObject({
      problems: [
        { pointer: '/chunking/size', code: 'unknown_field', detail: expect.stringContaining('chunk_size') },
        { pointer: '/chunking/strategy', code: 'enum', detail: expect.stringContaining('parent_child') },
      ],
    });
  });

  it('is an error with status 400 that names each problem under the given parent', () => {
    expect(() => requireValidPolicy({ tables: { x: 1 }, kg: [] }, '/policy')).toThrow(
      expect.objectContaining({
        status: 400,
        code: 'ingestion_policy.invalid',
        errors: [
          expect.objectContaining({ pointer: '/policy/tables/x' }),
          expect.objectContaining({ pointer: '/policy/kg' }),
        ],
      }),
    );
  });

  it('with many problems names the first 20 and the number of all', () => {
    const separators = Array.from({ length: 2_000 }, () => 1);
    expect(() => requireValidPolicy({ chunking: { separators } })).toThrow(
      expect.objectContaining({
        errors: expect.objectContaining({ length: 20 }) as unknown,
        errorCount: 2_001,
        message: expect.stringContaining('(and 1998 more)') as unknown,
      }),
    );
  });

  it('with more bytes than the maximum is 413', () => {
    const policy = { chunking: { separators: ['x'.repeat(MAX_POLICY_BYTES)] } };
    expect(() => checkPolicy(policy)).toThrow(expect.objectContaining({ status: 413 }));
  });

  it('may be nested as deeply as memory allows', () => {
    let deep: unknown = [];
    for (let level = 0; level < 200_000; level += 1) deep = [deep];
    expect(checkPolicy(deep)).toMatchObject({ problems: [{ code: 'max_depth' }] });
  });
});

describe('a policy that was stored before some fields existed', () => {
  it('has the behaviour from before these fields', () => {
    const { types: _types, archive: _archive, ...parsing } = DEFAULT_POLICY.parsing;
    const { on_prompt_injection: _action, ...governance } = DEFAULT_POLICY.governance;
    const stored = { ...DEFAULT_POLICY, parsing, governance, limits: {} };
    expect(completePolicy(stored)).toEqual(SILENT_POLICY);
    expect(stored.limits).toEqual({});
  });

  it('has its fields in the order of the schema, whatever the order in the database', () => {
    const stored = JSON.parse(JSON.stringify(DEFAULT_POLICY), (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toReversed())
        : value,
    ) as object;
    expect(JSON.stringify(completePolicy(stored))).toBe(JSON.stringify(DEFAULT_POLICY));
  });
});
