import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { networkOf, type IdentifiedRequest } from '#libs/tenancy';

/** Names of networks that `TRUST_PROXY` may hold beside addresses. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** How long a connection may wait for its client before it can be closed for others. */
const GRACE_MS = 1000;
/** How many times the bound an address may hold while they are that young. */
const BURST = 8;

/** A connection that counts: the request on it, if one has begun, and since when it waits for its client. */
interface Held {
  request?: IncomingMessage;
  since: number;
}

/**
 * Limits the connections of an address (IPv6: of its /64) without an accepted credential. Beyond the limit, connections that have waited for
 * their client for a second are closed, the oldest first. So a client that opens many at once and sends a request on each is answered, and a
 * client that holds many idle ones does not keep others of the same address out. Beyond eight times the limit younger connections are closed too.
 * A connection on which a credential was accepted is no longer counted.
 */
export class AnonymousConnections {
  private readonly byNetwork = new Map<string, Map<Socket, Held>>();
  private sweep: NodeJS.Timeout | undefined;

  constructor(
    private readonly most: number,
    private readonly isExempt: (address: string) => boolean,
  ) {}

  add(socket: Socket): void {
    const address = socket.remoteAddress;
    if (address === undefined || this.isExempt(address)) return;
    const network = networkOf(address);
    const held = this.byNetwork.get(network) ?? new Map<Socket, Held>();
    this.byNetwork.set(network, held);
    if (held.size >= this.most * BURST && !this.close(held, 1, 0)) {
      socket.destroy();
      return;
    }
    held.set(socket, { since: performance.now() });
    socket.once('close', () => this.remove(socket, network));
    if (held.size > this.most) this.sweepLater();
  }

  /** A request has begun on the connection. */
  begin(request: IncomingMessage): void {
    const held = this.heldOf(request.socket);
    if (held !== undefined) held.request = request;
  }

  /** Its request has been answered. */
  end(request: IncomingMessage): void {
    const held = this.heldOf(request.socket);
    if (held === undefined) return;
    delete held.request;
    held.since = performance.now();
  }

  /** A credential was accepted on the connection. */
  accept(socket: Socket): void {
    if (socket.remoteAddress !== undefined) this.remove(socket, networkOf(socket.remoteAddress));
  }

  private heldOf(socket: Socket): Held | undefined {
    return socket.remoteAddress === undefined
      ? undefined
      : this.byNetwork.get(networkOf(socket.remoteAddress))?.get(socket);
  }

  /** What has arrived meanwhile is read before connections are judged: timers come before it, immediates after it. */
  private sweepLater(): void {
    this.sweep ??= setTimeout(() => {
      setImmediate(() => {
        this.sweep = undefined;
        for (const held of this.byNetwork.values()) {
          this.close(held, held.size - this.most, GRACE_MS);
          if (held.size > this.most) this.sweepLater();
        }
      });
    }, GRACE_MS).unref();
  }

  /** Closes the `count` oldest that have waited for their client for `ms`; whether there was one. */
  private close(held: Map<Socket, Held>, count: number, ms: number): boolean {
    const latest = performance.now() - ms;
    const victims = [...held]
      .filter(([, { request, since }]) => request?.complete !== true && since <= latest)
      .slice(0, Math.max(count, 0));
    for (const [socket] of victims) {
      held.delete(socket);
      socket.destroy();
    }
    return victims.length > 0;
  }

  private remove(socket: Socket, network: string): void {
    const held = this.byNetwork.get(network);
    held?.delete(socket);
    if (held?.size === 0) this.byNetwork.delete(network);
  }
}

/** Bounds the anonymous connections of a server; to be called after credentials are resolved. */
export function boundAnonymousConnections(fastify: FastifyInstance, most: number, trusted: readonly string[]): void {
  const connections = new AnonymousConnections(most, trustedBy(trusted));
  fastify.server.on('connection', (socket) => connections.add(socket));
  fastify.addHook('onRequest', async (request: IdentifiedRequest) => {
    connections.begin(request.raw);
    if (request.kbIdentity !== undefined) connections.accept(request.raw.socket);
  });
  fastify.addHook('onResponse', async (request) => connections.end(request.raw));
}

/** Whether an address is one of `TRUST_PROXY`. */
export function trustedBy(trusted: readonly string[]): (address: string) => boolean {
  if (trusted.includes('true')) return () => true;
  const list = new BlockList();
  for (const entry of trusted.flatMap((name) => NAMED[name] ?? [name])) {
    const [address = '', bits] = entry.split('/');
    if (isIP(address) === 0) continue;
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
