import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import { reasonOf } from '#libs/common';
import type { SettingsValues } from '#libs/config';
import { StartRefused } from './start-refused.js';

type Ports = Pick<SettingsValues, 'role' | 'host' | 'port' | 'metricsPort' | 'databaseUrl'>;

interface WantedPort {
  /** Null: for the embedded PostgreSQL, which takes any. */
  readonly setting: 'PORT' | 'METRICS_PORT' | null;
  readonly host: string;
  readonly port: number;
}

const LOOPBACK = '127.0.0.1';
/** Of the service that throws everything away (RFC 863). */
const DISCARD_PORT = 9;

/**
 * Tries every port that the process will use, before anything is made. Nothing listens meanwhile: a proxy that takes the address for open
 * would send a request which no one answers. @throws StartRefused for the first that cannot be used
 */
export async function requireFreePorts(settings: Ports): Promise<void> {
  const { role, port, metricsPort } = settings;
  if (role !== 'worker' && port !== 0 && port === metricsPort) {
    throw new StartRefused(`PORT and METRICS_PORT are both ${port}. Give each a port of its own.`);
  }
  for (const wanted of wantedPorts(settings)) await tryPort(wanted);
}

function wantedPorts({ role, host, port, metricsPort, databaseUrl }: Ports): WantedPort[] {
  const wanted: WantedPort[] = [];
  if (role !== 'worker') wanted.push({ setting: 'PORT', host, port });
  if (metricsPort !== 0) wanted.push({ setting: 'METRICS_PORT', host, port: metricsPort });
  if (databaseUrl === undefined) wanted.push({ setting: null, host: LOOPBACK, port: 0 });
  return wanted;
}

async function tryPort(wanted: WantedPort): Promise<void> {
  try {
    const { address, family } = await lookup(wanted.host);
    await bindTo(address, wanted.port, family === 6 ? '::1' : LOOPBACK);
  } catch (error) {
    throw new StartRefused(refusalOf(wanted, error));
  }
}

/** Binds a socket as one that listens would be bound, and lets it go. Node binds only what listens or connects: this one begins to connect. */
async function bindTo(address: string, port: number, target: string): Promise<void> {
  const socket = connect({ host: target, port: DISCARD_PORT, localAddress: address, localPort: port });
  try {
    await new Promise<void>((resolve, reject) => {
      // Follows the binding at once; what becomes of the attempt is nothing that the port is to blame for.
      socket.once('connectionAttempt', () => resolve());
      socket.on('error', reject);
    });
  } finally {
    socket.destroy();
  }
}

function refusalOf({ setting, host, port }: WantedPort, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (setting === null) {
    return `No port of ${LOOPBACK} can be listened on (${reasonOf(error)}). Allow loopback connections, or set DATABASE_URL.`;
  }
  if (code === 'EADDRINUSE') {
    return `Port ${port} of ${host} is in use (EADDRINUSE). Stop what listens there, or set ${setting} to another port.`;
  }
  if (code === 'EACCES') {
    return `Port ${port} of ${host} is not allowed for this user (EACCES). Set ${setting} to a port above 1023.`;
  }
  return `HOST "${host}" cannot be listened on (${reasonOf(error)}). Set it to an address of this machine, or to 0.0.0.0.`;
}
