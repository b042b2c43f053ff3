import { describe, expect, it } from 'vitest';
import { describeRecommended } from './describe-installed.js';
import { readCall } from './read-call.js';
import { RECOMMENDED, recommendFor } from './recommended-models.js';

const sourcesFor = (...languages: string[]): string[] => recommendFor(languages).map(({ source }) => source);

describe('models that are recommended', () => {
  it('know every language that is named, the best first', () => {
    expect(sourcesFor('en')[0]).toBe('Xenova/bge-small-en-v1.5');
    expect(sourcesFor('de', 'en')[0]).toBe('Xenova/multilingual-e5-small');
    expect(sourcesFor('de', 'en')).not.toContain('Xenova/all-MiniLM-L6-v2');
    expect(sourcesFor('sw')).toEqual(['Xenova/multilingual-e5-small', 'Xenova/multilingual-e5-base']);
    expect(sourcesFor()).toEqual(sourcesFor('sw'));
  });

  it('are shown with size, licence and the command that installs the first', () => {
    const text = describeRecommended(['de'], recommendFor(['de']));
    expect(text).toContain('Embedding models for de, the best first');
    expect(text).toMatch(/multilingual-e5-small\n +some 135 MB, MIT, reads 512 tokens/);
    expect(text).toContain('npm run model -- install Xenova/multilingual-e5-small --quantized --as embedding');
    for (const { licence } of RECOMMENDED) expect(['MIT', 'Apache-2.0']).toContain(licence);
  });

  it('are asked for by languages or by a dataset', () => {
    expect(readCall(['recommend'])).toMatchObject({ kind: 'recommend', languages: [], install: false });
    expect(readCall(['recommend', 'de', 'en', '--install'])).toMatchObject({ languages: ['de', 'en'], install: true });
    const dataset = '0198c0de-0000-7000-8000-000000000000';
    expect(readCall(['recommend', '--dataset', dataset])).toMatchObject({ dataset });
    expect(readCall(['recommend', 'de', '--dataset', dataset])).toMatch(/not both/);
    expect(readCall(['recommend', 'German'])).toMatch(/no language/);
    expect(readCall(['recommend', 'de', '--quantized'])).toMatch(/no option of recommend/);
    expect(readCall(['install', 'a/b', '--dataset', dataset])).toMatch(/options of recommend/);
  });
});
