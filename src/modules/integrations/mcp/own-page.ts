import { isIP } from 'node:net';

/** How a request came: with a proxy that is trusted, as the browser sent it. */
interface Arrival {
  readonly protocol: string;
  /** Name or address with its port, as `Host` has it. */
  readonly host: string;
}

/**
 * Whether pages of `origin` are this service's own, such as Swagger UI. The address that an operator gave is believed. What a request says of
 * itself is believed only where no name server can lie: a page of another machine that has had its name pointed here sends that name as its
 * origin and as the host, but it can be neither `localhost` nor an address in figures.
 */
export function isOwnPage(origin: string, { protocol, host }: Arrival, publicUrl: string | undefined): boolean {
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true;
  if (origin !== `${protocol}://${host}` || !URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) > 0;
}
