import ipaddr from 'ipaddr.js';

/** Bytes of an IPv6 address that name its network, which is what one subscriber gets. */
const IPV6_NETWORK_BYTES = 8;

/**
 * What counters take for one sender: an IPv4 address, written as IPv6 or not, or the /64 network of an IPv6 address. Text that is
 * no address (a socket that has closed already) stays as it is.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bytes = parsed.toByteArray().map((byte, index) => (index < IPV6_NETWORK_BYTES ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/64`;
}
