import ipaddr from 'ipaddr.js';

/** Bytes of an IPv6 address that name its network, which is what one subscriber gets. */
const IPV6_NETWORK_BYTES = 8;
/** Bytes of an address that name what one customer of a provider of servers gets at most. */
const PREFIX_BYTES = { ipv4: 3, ipv6: 6 } as const;

/**
 * What counters take for one sender: an IPv4 address, written as IPv6 or not, or the /64 network of an IPv6 address. Text that is
 * no address (a socket that has closed already) stays as it is.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : beginningOf(parsed, IPV6_NETWORK_BYTES);
}

/** Where many senders are shared out: the /24 of an IPv4 address, the /48 of an IPv6 address. Text that is no address stays as it is. */
export function prefixOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return beginningOf(parsed, PREFIX_BYTES[parsed.kind()]);
}

function beginningOf(address: ipaddr.IPv4 | ipaddr.IPv6, length: number): string {
  const bytes = address.toByteArray().map((byte, index) => (index < length ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${length * 8}`;
}
