import createClient from 'openapi-fetch';
import { problemOf } from './problem';
import { ROOT } from './root';
import type { components, paths } from './schema';
import { sessionFetch } from './session';

/** Names of the interface's schemas. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

const client = createClient<paths>({ baseUrl: ROOT.href.replace(/\/$/, ''), fetch: sessionFetch });
client.use({
  async onResponse({ response }) {
    if (!response.ok) throw await problemOf(response);
  },
});

/** Calls of the interface: data, or a thrown Problem. */
export const api = client;

/** For a call in another organisation than the one that is chosen; undefined: in that one. */
export const inTenant = (id: string | undefined): { headers?: Readonly<Record<string, string>> } =>
  id === undefined ? {} : { headers: { 'X-Tenant-ID': id } };

/** The data of an answer, which `api` never leaves out where it does not throw. */
export async function dataOf<Data>(answer: Promise<{ data?: Data }>): Promise<Data> {
  return (await answer).data as Data;
}

/** A route whose answer is no JSON. */
export async function fetchRoute(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await sessionFetch(new Request(new URL(path, ROOT), init));
  if (!response.ok) throw await problemOf(response);
  return response;
}
