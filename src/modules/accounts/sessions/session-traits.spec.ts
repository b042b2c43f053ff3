import { describe, expect, it } from 'vitest';
import { traitsOf } from './session-traits.js';

describe('the traits of a session', () => {
  it('are the program, cut to its maximum length, and the network instead of the address', () => {
    const client = { address: '192.0.2.77', requestId: 'r', userAgent: `Fire\u0000fox\u00e9 ${'x'.repeat(300)}` };
    const traits = traitsOf(client);
    expect(traits.network).toBe('192.0.2.0/24');
    expect(traits.userAgent).toMatch(/^Firefox x+$/);
    expect(traits.userAgent).toHaveLength(200);
    expect(traitsOf({ ...client, address: '2001:db8:1:2:3::4' }).network).toBe('2001:db8:1::/48');
  });

  it('are null if nothing is known', () => {
    expect(traitsOf({ address: '', requestId: 'r' })).toEqual({ userAgent: null, network: null });
  });
});
