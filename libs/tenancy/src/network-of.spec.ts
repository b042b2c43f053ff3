import { describe, expect, it } from 'vitest';
import { networkOf, prefixOf } from './network-of.js';

describe('networkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
    ['', ''],
    ['unknown', 'unknown'],
  ])('takes %s for %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('tells two /64 networks apart', () => {
    expect(networkOf('2001:db8:0:1::1')).not.toBe(networkOf('2001:db8:0:2::1'));
  });
});

describe('prefixOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.0/24'],
    ['::ffff:192.0.2.200', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['unknown', 'unknown'],
  ])('takes %s for %s', (address, prefix) => {
    expect(prefixOf(address)).toBe(prefix);
  });
});
