import { describe, expect, it } from 'vitest';
import { governanceRulesOf, isWeaker } from './governance-rules.js';
import { DEFAULT_POLICY, type DetectorAction, type GovernancePolicy } from '../schema/ingestion-policy.entity.js';

const policy = (change: Partial<GovernancePolicy> = {}): GovernancePolicy => ({
  ...DEFAULT_POLICY.governance,
  ...change,
});
const detector = (action: DetectorAction, minScore = 0.5, type = 'email') => ({
  entity_type: type,
  action,
  min_score: minScore,
});

describe('governanceRulesOf', () => {
  it('is empty without detectors', () => {
    expect(governanceRulesOf(policy()).size).toBe(0);
  });

  it.each([
    ['quarantine', 'mask', 'quarantine'],
    ['quarantine', 'reject', 'reject'],
    ['reject', 'allow', 'reject'],
  ] as const)('takes the stricter of the short form (%s) and a detector (%s)', (short, action, expected) => {
    const rules = governanceRulesOf(
      policy({ on_prompt_injection: short, detectors: [detector(action, 0.9, 'prompt_injection')] }),
    );
    expect(rules.get('prompt_injection')).toEqual({ action: expected, minScore: 0.5 });
  });

  it('leaves out kinds of content for which there is no detector', () => {
    expect(governanceRulesOf(policy({ detectors: [detector('mask', 0.5, 'EMAIL_ADDRESS')] })).size).toBe(0);
  });
});

describe('isWeaker', () => {
  const before = policy({
    detectors: [detector('quarantine', 0.5)],
    allowed_types: ['text/plain'],
    max_bytes: 1000,
    on_prompt_injection: 'quarantine',
  });

  it.each([
    ['without the detector', { detectors: [] }],
    ['with a milder action', { detectors: [detector('mask')] }],
    ['with a higher least score', { detectors: [detector('quarantine', 0.6)] }],
    ['with more types', { allowed_types: ['text/plain', 'text/html'] }],
    ['with all types', { allowed_types: null }],
    ['with larger files', { max_bytes: 1001 }],
    ['without a limit', { max_bytes: null }],
    ['without the short form', { on_prompt_injection: 'allow' }],
  ] as const)('is true %s', (_how, change) => {
    expect(isWeaker({ ...before, ...change }, before)).toBe(true);
  });

  it.each([
    ['the same', {}],
    ['a stricter action', { detectors: [detector('reject', 0.4)] }],
    ['fewer types', { allowed_types: ['text/plain'] }],
    ['smaller files', { max_bytes: 10 }],
    [
      'the short form written out',
      {
        on_prompt_injection: 'allow',
        detectors: [detector('quarantine'), detector('quarantine', 0.5, 'prompt_injection')],
      },
    ],
  ] as const)('is false with %s', (_how, change) => {
    expect(isWeaker({ ...before, ...change }, before)).toBe(false);
  });
});
