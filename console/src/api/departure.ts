import { ROOT } from './root';
import { credentialHeaders } from './session';

/** A request of a page that goes away; nothing reads the answer. */
export interface Departure {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

/** Browsers see so many bytes of bodies to their end without the page, of all its requests together. */
const MOST_BYTES = 60_000;

const bodyOf = ({ body }: Departure): string => (body === undefined ? '' : JSON.stringify(body));

/** Whether all of these arrive without their page. */
export const doArrive = (departures: readonly Departure[]): boolean =>
  departures.reduce((sum, departure) => sum + bodyOf(departure).length, 0) <= MOST_BYTES;

/** Sends them, as the person and in the organisation of now, in a way that outlives the page as far as the browser allows it. Settles with the answers. */
export function sendOff(departures: readonly Departure[], tenant: string | undefined): Promise<unknown> {
  const headers = credentialHeaders(tenant);
  if (headers['Authorization'] === undefined) return Promise.resolve();
  let room = MOST_BYTES;
  return Promise.allSettled(
    departures.map((departure) => {
      const body = bodyOf(departure);
      const keepalive = body.length <= room;
      if (keepalive) room -= body.length;
      return fetch(new URL(departure.path, ROOT), {
        method: departure.method,
        keepalive,
        headers: { ...headers, ...(body === '' ? {} : { 'Content-Type': 'application/json' }) },
        ...(body === '' ? {} : { body }),
      });
    }),
  );
}
