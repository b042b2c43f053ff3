import type { ApiClient } from '../api-client.js';
import type { Fate, World } from './planted-world.js';

/** Of the API key of those who ask by one. */
export const SCOPES = ['datasets:read', 'documents:read', 'retrieval:search', 'chat:complete'];

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  /** A name that is asked for, and that a refusal says again. */
  readonly echo?: string;
}

/** What is asked of a route that reads. */
export interface Reader {
  readonly requests: (world: World) => readonly Request[] | Promise<readonly Request[]>;
  /** Whose words the answers hold while everything is shown: the proof that the route reads them at all. */
  readonly shows: readonly Fate[];
  /** Whose words the answers may hold when their documents are hidden, with the reason. */
  readonly keeps?: Partial<Readonly<Record<Fate, string>>>;
  /** What the answers say of counts when documents are hidden, in lower case: deleted ones are not counted, and those in quarantine are not searchable. */
  readonly counts?: readonly string[];
  /** Who asks: Ben, an editor, where none is named; Anna owns the tenant and may read what is in quarantine. */
  readonly as?: 'anna';
  /** Whether it is asked by an API key alone. */
  readonly needsKey?: boolean;
}

/** A call of a tool of the MCP server. */
export function mcpCall(name: string, given: object): Request {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
  return { method: 'POST', path: '/mcp', body };
}

/** All that a route answers to one caller, in lower case. */
export async function answersOf(reader: Reader, world: World, client: ApiClient): Promise<string> {
  return (await answersOneByOne(reader, world, client)).join('\n');
}

/** The same, an answer for each request. */
export async function answersOneByOne({ requests }: Reader, world: World, client: ApiClient): Promise<string[]> {
  const texts: string[] = [];
  for (const { method, path, body, echo } of await requests(world)) {
    const accept = path === '/mcp' ? 'application/json, text/event-stream' : '*/*';
    const { status, body: answer } = await client.send(method, path, body, { Accept: accept });
    if (status >= 500) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(answer)}`);
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    texts.push((echo === undefined || status < 400 ? text : text.replaceAll(echo, '')).toLowerCase());
  }
  return texts;
}
