import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/**
 * Takes the network, and the start of further programs, away from this process: every connection of `net`, `tls`,
 * `http`, `https` and `fetch` goes through `net.Socket.prototype.connect`; datagrams, name look-ups and programs are
 * refused at their entry points. It contains the JavaScript of parser libraries that would follow a link in a document;
 * native code is not bound by it, so the only native parser here is never given an address. To be called before any
 * library is loaded; it cannot be undone. Only `run-program`, loaded before, still starts programs: those it is asked for by name.
 */
export function blockNetwork(): void {
  net.Socket.prototype.connect = refuse;
  net.Server.prototype.listen = refuse;
  dgram.createSocket = refuse;
  for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6'] as const) replace(dns, name);
  for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6'] as const) replace(dns.promises, name);
  for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const) {
    replace(childProcess, name);
  }
  for (const name of ['fetch', 'WebSocket', 'EventSource']) replace(globalThis, name);
  syncBuiltinESMExports();
}

function refuse(): never {
  throw new Error('no network and no further programs while parsing');
}

function replace(holder: object, name: string): void {
  Object.defineProperty(holder, name, { value: refuse, configurable: false, writable: false });
}
