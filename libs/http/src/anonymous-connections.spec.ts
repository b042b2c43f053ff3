import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnonymousConnections, trustedBy } from './anonymous-connections.js';

/** A connection that knows whether it was closed. */
class FakeSocket extends EventEmitter {
  destroyed = false;
  constructor(readonly remoteAddress: string) {
    super();
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

const open = (connections: AnonymousConnections, address: string): FakeSocket => {
  const socket = new FakeSocket(address);
  connections.add(socket as unknown as Socket);
  return socket;
};
const requestOn = (socket: FakeSocket, complete: boolean): IncomingMessage =>
  ({ socket, complete }) as unknown as IncomingMessage;

const closed = (...sockets: FakeSocket[]): boolean[] => sockets.map((one) => one.destroyed);

describe('anonymous connections', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());
  const afterASecond = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(1001));

  it('beyond the bound are closed, the oldest of their address that have waited for their client for a second', async () => {
    const connections = new AnonymousConnections(2, () => false);
    const [busy, slow] = [open(connections, '192.0.2.1'), open(connections, '192.0.2.1')];
    connections.begin(requestOn(busy, true));
    connections.begin(requestOn(slow, false));
    const elsewhere = open(connections, '192.0.2.2');
    const [third, fourth] = [open(connections, '192.0.2.1'), open(connections, '192.0.2.1')];
    expect(closed(busy, slow, third, fourth, elsewhere)).toEqual([false, false, false, false, false]);
    await afterASecond();
    expect(closed(busy, slow, third, fourth, elsewhere)).toEqual([false, true, true, false, false]);
  });

  it('are answered when many open at once and ask on each, and closed when they idle', async () => {
    const connections = new AnonymousConnections(2, () => false);
    const many = Array.from({ length: 16 }, () => open(connections, '192.0.2.1'));
    for (const one of many) connections.begin(requestOn(one, true));
    await afterASecond();
    expect(many.filter((one) => one.destroyed)).toHaveLength(0);
    for (const one of many) connections.end(requestOn(one, true));
    await afterASecond();
    await afterASecond();
    expect(many.filter((one) => one.destroyed)).toHaveLength(14);
  });

  it('beyond eight times the bound are closed at once, or refused when the service is at work for all', () => {
    const connections = new AnonymousConnections(1, () => false);
    const held = Array.from({ length: 8 }, () => open(connections, '192.0.2.1'));
    for (const one of held.slice(1)) connections.begin(requestOn(one, true));
    const ninth = open(connections, '192.0.2.1');
    expect(closed(held[0]!, held[1]!, ninth)).toEqual([true, false, false]);
    connections.begin(requestOn(ninth, true));
    expect(open(connections, '192.0.2.1').destroyed).toBe(true);
  });

  it('count no more when a credential was accepted on them, nor when they are closed', async () => {
    const connections = new AnonymousConnections(1, () => false);
    const accepted = open(connections, '192.0.2.1');
    connections.accept(accepted as unknown as Socket);
    const gone = open(connections, '192.0.2.1');
    gone.destroy();
    const third = open(connections, '192.0.2.1');
    await afterASecond();
    expect(closed(accepted, third)).toEqual([false, false]);
  });

  it('count an IPv6 address by its /64, and none of a proxy', async () => {
    const connections = new AnonymousConnections(1, trustedBy(['10.0.0.0/8', 'loopback', '2001:db8:5::1']));
    const first = open(connections, '2001:db8:1:2::1');
    open(connections, '2001:db8:1:2::ffff');
    const proxies = ['10.1.2.3', '127.0.0.1', '::1', '2001:db8:5::1', '::ffff:10.1.2.3'].flatMap((address) => [
      open(connections, address),
      open(connections, address),
    ]);
    await afterASecond();
    expect(first.destroyed).toBe(true);
    expect(proxies.filter((one) => one.destroyed)).toHaveLength(0);
    expect(trustedBy(['true'])('192.0.2.9')).toBe(true);
  });
});
