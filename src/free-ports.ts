import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
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

/** Tries every port that the process will listen on and lets them go, before anything is made. @throws StartRefused for the first that cannot be used */
export async function requireFreePorts(settings: Ports): Promise<void> {
  const { role, port, metricsPort } = settings;
  if (role !== 'worker' && port !== 0 && port === metricsPort) {
    throw new StartRefused(`PORT and METRICS_PORT are both ${port}. Give each a port of its own.`);
  }
  const tried: Server[] = [];
  try {
    for (const wanted of wantedPorts(settings)) tried.push(await listenOn(wanted));
  } finally {
    await Promise.all(tried.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

function wantedPorts({ role, host, port, metricsPort, databaseUrl }: Ports): WantedPort[] {
  const wanted: WantedPort[] = [];
  if (role !== 'worker') wanted.push({ setting: 'PORT', host, port });
  if (metricsPort !== 0) wanted.push({ setting: 'METRICS_PORT', host, port: metricsPort });
  if (databaseUrl === undefined) wanted.push({ setting: null, host: LOOPBACK, port: 0 });
  return wanted;
}

async function listenOn(wanted: WantedPort): Promise<Server> {
  const server = createServer();
  try {
    server.listen({ host: wanted.host, port: wanted.port });
    await once(server, 'listening');
    return server;
  } catch (error) {
    throw new StartRefused(refusalOf(wanted, error));
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
