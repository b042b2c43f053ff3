import { describe, expect, it } from 'vitest';
import { whyAddress } from './addresses.js';

describe('whyAddress', () => {
  it('asks why about what was searched for, and says when words of earlier questions are in it', () => {
    expect(whyAddress('d1', 'Who teaches yoga?', ' Who teaches yoga? ')).toBe(
      '/d/d1/why?q=+Who+teaches+yoga%3F+&purpose=chat',
    );
    expect(whyAddress('d1', 'And on Sunday?', 'Who teaches yoga? And on Sunday?')).toBe(
      '/d/d1/why?q=Who+teaches+yoga%3F+And+on+Sunday%3F&purpose=chat&follow_up=yes',
    );
  });

  it('asks about the question itself where it is not known what was searched for', () => {
    expect(whyAddress('d1', 'Who teaches yoga?')).toBe('/d/d1/why?q=Who+teaches+yoga%3F&purpose=chat');
  });
});
