import { describe, expect, it } from 'vitest';
import { warningOfLook } from './search-warnings.js';

describe('warningOfLook', () => {
  it('says that the order is as it was found only where statements were not compared', () => {
    const [statements, words] = (['statements', 'words'] as const).map((of) =>
      warningOfLook({ code: 'ai.provider_unavailable', of }),
    );
    expect(statements!.code).toBe('STATEMENTS_NOT_COMPARED');
    expect(statements!.detail).toContain('in which they were found');
    expect(words!.code).toBe('WORDS_NOT_COMPARED');
    expect(words!.detail).toContain('The order of the results is not affected');
  });
});
