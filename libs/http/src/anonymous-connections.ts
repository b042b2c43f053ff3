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

/**
 * Bounds the connections that an address (of IPv6 its /64) holds without an accepted credential. One more closes the oldest of
 * them that waits for its client; where the service is at work for all of them, the new one is closed. So nobody who holds many
 * keeps others of the same address out. A connection on which a credential was accepted counts no more.
 */
export class AnonymousConnections {
  private readonly byNetwork = new Map<string, Set<Socket>>();
  private readonly requests = new WeakMap<Socket, IncomingMessage>();

  constructor(
    private readonly most: number,
    private readonly isExempt: (address: string) => boolean,
  ) {}

  add(socket: Socket): void {
    const address = socket.remoteAddress;
    if (address === undefined || this.isExempt(address)) return;
    const network = networkOf(address);
    const held = this.byNetwork.get(network) ?? new Set();
    this.byNetwork.set(network, held);
    if (held.size >= this.most) {
      const victim = [...held].find((one) => this.waitsForClient(one)) ?? socket;
      held.delete(victim);
      victim.destroy();
      if (victim === socket) return;
    }
    held.add(socket);
    socket.once('close', () => this.remove(socket, network));
  }

  /** A request has begun on the connection. */
  begin(request: IncomingMessage): void {
    this.requests.set(request.socket, request);
  }

  /** Its request has been answered. */
  end(request: IncomingMessage): void {
    this.requests.delete(request.socket);
  }

  /** A credential was accepted on the connection. */
  accept(socket: Socket): void {
    if (socket.remoteAddress !== undefined) this.remove(socket, networkOf(socket.remoteAddress));
  }

  /** Nothing is under way, or not all of a request has arrived. */
  private waitsForClient(socket: Socket): boolean {
    return this.requests.get(socket)?.complete !== true;
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
