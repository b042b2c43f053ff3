import { describe, expect, it } from 'vitest';
import { forgetLost, lostCount, takeLost, tellLost } from './lost-files.js';

describe('files that were not sent because the session was ended', () => {
  const files = [{ datasetId: 'd', name: 'letters/salary.pdf' }];

  it('are counted for whoever looks, and named to their person alone, once', () => {
    tellLost('ada', files);
    expect(lostCount()).toBe(1);
    expect(takeLost('ada')).toEqual(files);
    expect([lostCount(), takeLost('ada')]).toEqual([0, []]);
  });

  it('are gone when another person signs in', () => {
    tellLost('ada', files);
    expect(takeLost('bob')).toEqual([]);
    expect([lostCount(), takeLost('ada')]).toEqual([0, []]);
  });

  it('are gone when they are to be forgotten', () => {
    tellLost('ada', files);
    forgetLost();
    expect(takeLost('ada')).toEqual([]);
  });
});
