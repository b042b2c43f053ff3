import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
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

describe('anonymous connections', () => {
  it('beyond the bound close the oldest of their address that waits for its client', () => {
    const connections = new AnonymousConnections(2, () => false);
    const [first, second] = [open(connections, '192.0.2.1'), open(connections, '192.0.2.1')];
    connections.begin(requestOn(first, true));
    const elsewhere = open(connections, '192.0.2.2');
    const third = open(connections, '192.0.2.1');
    expect([first, second, third, elsewhere].map((one) => one.destroyed)).toEqual([false, true, false, false]);
  });

  it('are refused when the service is at work for all that are held', () => {
    const connections = new AnonymousConnections(1, () => false);
    const first = open(connections, '192.0.2.1');
    connections.begin(requestOn(first, true));
    expect(open(connections, '192.0.2.1').destroyed).toBe(true);
    connections.end(requestOn(first, true));
    expect(open(connections, '192.0.2.1').destroyed).toBe(false);
    expect(first.destroyed).toBe(true);
  });

  it('count no more when a credential was accepted on them, nor when they are closed', () => {
    const connections = new AnonymousConnections(1, () => false);
    const accepted = open(connections, '192.0.2.1');
    connections.accept(accepted as unknown as Socket);
    const closed = open(connections, '192.0.2.1');
    closed.destroy();
    const third = open(connections, '192.0.2.1');
    expect([accepted.destroyed, third.destroyed]).toEqual([false, false]);
  });

  it('count an IPv6 address by its /64, and none of a proxy', () => {
    const connections = new AnonymousConnections(1, trustedBy(['10.0.0.0/8', 'loopback', '2001:db8:5::1']));
    const first = open(connections, '2001:db8:1:2::1');
    open(connections, '2001:db8:1:2::ffff');
    expect(first.destroyed).toBe(true);
    for (const address of ['10.1.2.3', '127.0.0.1', '::1', '2001:db8:5::1', '::ffff:10.1.2.3']) {
      const one = open(connections, address);
      open(connections, address);
      expect(one.destroyed).toBe(false);
    }
    expect(trustedBy(['true'])('192.0.2.9')).toBe(true);
  });
});
