import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aiErrors } from '#libs/ai';
import { PARSE_ERROR_CODES } from '#libs/parsing';
import { FAILURE_CODE_NAMES } from './failure-codes.js';

const INGESTION = join(import.meta.dirname, '../../ingestion');
/** How sources of ingestion write the code of a failure. */
const WRITTEN = [
  /new StepFailed\(\s*'([A-Z_]+)'/g,
  /code: '([A-Z_]+)', stage/g,
  /'documents\.[a-z_]+': '([A-Z_]+)'/g,
  /catalogueErrorOf\(error\)\?\.code \?\? '([A-Z_]+)'/g,
];

function writtenCodes(): string[] {
  const files = readdirSync(INGESTION, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((name) => name.endsWith('.ts') && !name.includes('dry-run') && !name.includes('spec'));
  const text = sources.map((name) => readFileSync(join(INGESTION, name), 'utf8')).join('\n');
  return WRITTEN.flatMap((pattern) => [...text.matchAll(pattern)].map(([, code]) => code!));
}

describe('the catalogue of failures', () => {
  it('has every code of the parsers and of ingestion', () => {
    const written = writtenCodes();
    // Each pattern finds what it is for.
    for (const known of ['TENANT_STORAGE_EXCEEDED', 'WORKER_LOST', 'TYPE_NOT_ALLOWED', 'INTERNAL_ERROR'])
      expect(written).toContain(known);
    const catalogue: readonly string[] = FAILURE_CODE_NAMES;
    expect([...PARSE_ERROR_CODES, ...written].filter((code) => !catalogue.includes(code))).toEqual([]);
  });

  it('uses the codes of the error catalogue', () => {
    const facts = { provider: 'p', model: 'm' };
    const models = [aiErrors.provider_unavailable(facts), aiErrors.provider_rejected({ ...facts, words: '' })];
    expect(FAILURE_CODE_NAMES).toEqual(expect.arrayContaining(models.map(({ code }) => code)));
  });
});
