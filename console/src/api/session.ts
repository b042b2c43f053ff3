import { ROOT } from './root';
import { Problem, problemOf } from './problem';

/**
 * Who is signed in. Tokens are kept here and nowhere else, in memory: a reload signs out. `expired` is a session that ended in the middle of
 * work: pages stay, requests wait until somebody signs in again.
 */
export type SessionState = 'signed-out' | 'signed-in' | 'expired';

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
}

const LONGEST_WAIT_SECONDS = 120;

let state: SessionState = 'signed-out';
let tokens: Tokens | undefined;
let tenantId: string | undefined;
let refreshing: Promise<boolean> | undefined;
/** Instants until which requests wait because there were too many. */
let waitingUntil = 0;
const listeners = new Set<() => void>();
const resumers = new Set<() => void>();

export const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const sessionState = (): SessionState => state;
export const waitEnd = (): number => waitingUntil;
export const chosenTenant = (): string | undefined => tenantId;

function change(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

export function chooseTenant(id: string | undefined): void {
  tenantId = id;
  change(state);
}

/** Signs in; throws a Problem when that is refused. Requests that waited go on. */
export async function signIn(email: string, password: string): Promise<void> {
  const answer = await callAuth('login', { email, password });
  if (!answer.ok) throw await problemOf(answer);
  keep((await answer.json()) as TokenAnswer);
  change('signed-in');
  for (const resume of resumers) resume();
  resumers.clear();
}

/** Ends the session here, and at the service where it answers. */
export async function signOut(): Promise<void> {
  const left = tokens;
  tokens = undefined;
  tenantId = undefined;
  change('signed-out');
  if (left !== undefined) await callAuth('logout', { refresh_token: left.refresh });
}

function keep(answer: TokenAnswer): void {
  tokens = { access: answer.access_token, refresh: answer.refresh_token };
}

async function callAuth(route: 'login' | 'refresh' | 'logout', body: unknown): Promise<Response> {
  return reach(
    new Request(new URL(`api/v1/auth/${route}`, ROOT), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
}

async function reach(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new Problem(0, undefined);
  }
}

/** All requests that find their token too old share one refresh. */
function refresh(): Promise<boolean> {
  refreshing ??= (async () => {
    if (tokens === undefined) return false;
    const answer = await callAuth('refresh', { refresh_token: tokens.refresh });
    if (answer.ok) keep((await answer.json()) as TokenAnswer);
    else if (answer.status !== 401) throw await problemOf(answer);
    return answer.ok;
  })().finally(() => {
    refreshing = undefined;
  });
  return refreshing;
}

/** The headers that stand for whoever is signed in. */
export function credentialHeaders(): Readonly<Record<string, string>> {
  return {
    ...(tokens === undefined ? {} : { Authorization: `Bearer ${tokens.access}` }),
    ...(tenantId === undefined ? {} : { 'X-Tenant-ID': tenantId }),
  };
}

/** Resolves when there is a token that may work: at once after a refresh, else after somebody has signed in again. */
export async function renewSession(): Promise<void> {
  if (await refresh()) return;
  if (state === 'signed-out') throw new Problem(401, undefined);
  change('expired');
  await new Promise<void>((resolve) => {
    resumers.add(resolve);
  });
}

/** Waits for as long as a refused request was told to. */
export async function waitAsTold(response: { readonly headers: { get(name: string): string | null } }): Promise<void> {
  const seconds = Math.min(LONGEST_WAIT_SECONDS, Number(response.headers.get('Retry-After') ?? 1) || 1);
  waitingUntil = Math.max(waitingUntil, Date.now() + seconds * 1000);
  change(state);
  await new Promise((resolve) => {
    setTimeout(resolve, waitingUntil - Date.now());
  });
  change(state);
}

/** `fetch` with the session's credential: an old token is renewed, too many requests are a wait. */
export async function sessionFetch(request: Request): Promise<Response> {
  for (;;) {
    const attempt = request.clone();
    for (const [name, value] of Object.entries(credentialHeaders())) attempt.headers.set(name, value);
    const response = await reach(attempt);
    if (response.status === 401) await renewSession();
    else if (response.status === 429) await waitAsTold(response);
    else return response;
    request.signal.throwIfAborted();
  }
}
