import { ROOT } from './root';
import { Problem, problemOf } from './problem';

/**
 * Who is signed in. The access token is kept here and nowhere else, in memory; the refresh token is in a cookie that no script reads. `starting`
 * asks whether there is a session, as after a reload. `expired` is one that ended in the middle of work: pages stay, requests wait until
 * somebody signs in again.
 */
export type SessionState = 'starting' | 'signed-out' | 'signed-in' | 'expired';

/** What tabs tell each other. */
type Message = { readonly access: string } | { readonly signedOut: true };

/** No script sees whether there is one, and to have none is no fault that a browser's log should name. */
const OWN_SESSION = { session_optional: true };
/** Answers that say that there is no session that could be renewed: none, an ended one, or not for this page. */
const NO_SESSION: readonly number[] = [401, 403, 422];
const LONGEST_WAIT_SECONDS = 120;
const RETRY_MS = 2000;
/** So long the end of a session waits for what was still to be done in it. */
const LONGEST_FINISH_MS = 5000;
/** Tabs of one service share it, those of another one below another path do not. */
const SHARED = `kb.session ${ROOT.pathname}`;

let state: SessionState = 'starting';
let isAway = false;
let isAllEnded = false;
let access: string | undefined;
/** Account of the last token. */
let person: string | undefined;
let tenantId: string | undefined;
/** The organisation that the service takes where none is chosen. */
let acting: string | undefined;
let refreshing: Promise<boolean> | undefined;
/** Instants until which requests wait because there were too many. */
let waitingUntil = 0;
const listeners = new Set<() => void>();
const resumers = new Set<() => void>();
const leavers = new Set<() => Promise<unknown>>();
/** Of the service that does not answer: resolves when it does. */
let returning: Promise<void> | undefined;
const tabs = new BroadcastChannel(SHARED);

export const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
/** Calls this when somebody signs out, while there is the credential still; the session ends at the service when it has resolved, or some seconds later. */
export function beforeSignOut(finish: () => Promise<unknown>): void {
  leavers.add(finish);
}
export const sessionState = (): SessionState => state;
/** Whether the service does not answer: not yet whether there is a session, or not any more. */
export const isServiceAway = (): boolean => isAway;
export const waitEnd = (): number => waitingUntil;
/** The account that is signed in. */
export const signedInPerson = (): string | undefined => person;
export const chosenTenant = (): string | undefined => tenantId;

function change(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** The organisation that requests act in, chosen or not, as far as the service has said; what goes on in the background stays in it. */
export const actingTenant = (): string | undefined => tenantId ?? acting;

/** The service has said which organisation it takes where none is chosen. Nothing that is shown follows it. */
export function tellActing(id: string | undefined): void {
  acting = id;
}

export function chooseTenant(id: string | undefined): void {
  tenantId = id;
  change(state);
}

/** Goes on with the session that the browser has a cookie of, if it has one. */
export async function startSession(): Promise<void> {
  for (;;) {
    try {
      const isThere = await refresh(undefined);
      isAway = false;
      change(isThere ? 'signed-in' : 'signed-out');
      return;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      isAway = true;
      change(state);
      await new Promise((resolve) => {
        setTimeout(resolve, RETRY_MS);
      });
    }
  }
}

/** Signs in; throws a Problem when that is refused. Requests that waited go on, in other tabs too. */
export async function signIn(email: string, password: string, tenant?: string): Promise<void> {
  const account = { email, password, ...(tenant === undefined ? {} : { tenant_id: tenant }) };
  await alone(async () => {
    const answer = await callAuth('login', { ...account, session: 'cookie' });
    if (!answer.ok) throw await problemOf(answer);
    await keepAnswer(answer);
  });
  enter();
}

/** Whether the last session ended because its owner ended all of them. */
export const hasEndedAll = (): boolean => isAllEnded;

/** Ends the session here and in other tabs, and at the service where it answers; `everywhere` where all others have ended before. */
export async function signOut(where: 'here' | 'everywhere' = 'here'): Promise<void> {
  isAllEnded = where === 'everywhere';
  const finished = leave();
  tabs.postMessage({ signedOut: true } satisfies Message);
  // Whoever signs in next waits for it, or would be signed out by it.
  await alone(async () => {
    await Promise.race([finished, longestFinish()]);
    return callAuth('logout', {});
  });
}

tabs.onmessage = ({ data }: MessageEvent<Message>) => {
  if ('access' in data) void keep(data.access).then(enter);
  else void leave();
};

function enter(): void {
  isAllEnded = false;
  change('signed-in');
  for (const resume of resumers) resume();
  resumers.clear();
}

const longestFinish = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, LONGEST_FINISH_MS);
  });

function leave(): Promise<unknown> {
  const finished = Promise.all([...leavers].map((finish) => finish()));
  access = undefined;
  person = undefined;
  tenantId = undefined;
  acting = undefined;
  change('signed-out');
  return finished;
}

async function keepAnswer(answer: Response): Promise<void> {
  const { access_token: token } = (await answer.json()) as { readonly access_token: string };
  await keep(token);
  tabs.postMessage({ access: token } satisfies Message);
}

/** What is on the page, and what waits to be sent, is the last person's: another one begins with a new page. */
async function keep(token: string): Promise<void> {
  const next = personOf(token);
  if (person !== undefined && person !== next) {
    location.reload();
    await new Promise(() => undefined);
  }
  person = next;
  access = token;
}

/** The account that a token names. */
function personOf(token: string): string {
  const [, claims = ''] = token.split('.');
  const { sub } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { readonly sub: string };
  return sub;
}

/** The answer to a refresh has to reach the browser's cookies even when the page is left meanwhile. */
async function callAuth(route: 'login' | 'refresh' | 'logout', body: unknown): Promise<Response> {
  return reach(
    new Request(new URL(`api/v1/auth/${route}`, ROOT), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      keepalive: true,
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

/** One tab at a time changes the cookie. Pages without TLS have no locks: the service bears with two that ask at once. */
function alone<Result>(work: () => Promise<Result>): Promise<Result> {
  const locks = navigator.locks as LockManager | undefined;
  return locks === undefined ? work() : locks.request(SHARED, work);
}

/** All requests that find their token too old, in all tabs, share one refresh. False when there is no session any more. */
function refresh(used: string | undefined): Promise<boolean> {
  const isRenewed = (): boolean => access !== undefined && access !== used;
  if (isRenewed()) return Promise.resolve(true);
  refreshing ??= alone(async () => {
    if (isRenewed()) return true;
    if (state === 'signed-out') return false;
    let answer = await callAuth('refresh', OWN_SESSION);
    while (answer.status === 429) {
      await waitAsTold(answer);
      answer = await callAuth('refresh', OWN_SESSION);
    }
    if (answer.status === 204 || NO_SESSION.includes(answer.status)) return false;
    if (!answer.ok) throw await problemOf(answer);
    await keepAnswer(answer);
    return true;
  }).finally(() => {
    refreshing = undefined;
  });
  return refreshing;
}

/** The headers that stand for whoever is signed in. */
export type CredentialHeaders = Readonly<Record<string, string>>;

/** In the organisation that is chosen, or in that where what goes on in the background was begun. */
export function credentialHeaders(tenant = tenantId): CredentialHeaders {
  return {
    ...(access === undefined ? {} : { Authorization: `Bearer ${access}` }),
    ...(tenant === undefined ? {} : { 'X-Tenant-ID': tenant }),
  };
}

/**
 * Resolves when there is a token that may work in place of the one in `refused`: at once after a refresh, else after somebody has signed in
 * again.
 */
export async function renewSession(refused: CredentialHeaders): Promise<void> {
  if (await refresh(refused['Authorization']?.slice('Bearer '.length))) return;
  if (state === 'signed-out') throw new Problem(401, undefined);
  change('expired');
  await new Promise<void>((resolve) => {
    resumers.add(resolve);
  });
}

/** When a request that was refused because there were too many may be sent again. */
export function waitEndOf(response: { readonly headers: { get(name: string): string | null } }): number {
  const seconds = Math.min(LONGEST_WAIT_SECONDS, Number(response.headers.get('Retry-After') ?? 1) || 1);
  return Date.now() + seconds * 1000;
}

/** Waits for as long as a refused request was told to. */
async function waitAsTold(response: Response): Promise<void> {
  waitingUntil = Math.max(waitingUntil, waitEndOf(response));
  change(state);
  await new Promise((resolve) => {
    setTimeout(resolve, waitingUntil - Date.now());
  });
  change(state);
}

/** Resolves when the service answers, which is at once where it does. Until then `isServiceAway`. */
export function serviceBack(): Promise<void> {
  returning ??= untilAnswered().finally(() => {
    returning = undefined;
  });
  return returning;
}

async function untilAnswered(): Promise<void> {
  while (!(await isAnswering())) {
    if (!isAway) {
      isAway = true;
      change(state);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_MS);
    });
  }
  if (!isAway) return;
  isAway = false;
  change(state);
}

/** A proxy in front of a service that is away answers in its place, with a status above 500. */
async function isAnswering(): Promise<boolean> {
  try {
    return (await reach(new Request(new URL('api/v1/auth/methods', ROOT)))).status <= 500;
  } catch {
    return false;
  }
}

/**
 * `fetch` with the session's credential: an old token is renewed, too many requests are a wait. Where the service does not answer, that is noted
 * (`isServiceAway`), and a Problem of status 0 thrown.
 */
export async function sessionFetch(request: Request): Promise<Response> {
  try {
    return await fetchAsPerson(request);
  } catch (error) {
    if (error instanceof Problem && error.status === 0) void serviceBack();
    throw error;
  }
}

async function fetchAsPerson(request: Request): Promise<Response> {
  for (;;) {
    const attempt = request.clone();
    const credential = credentialHeaders(request.headers.get('X-Tenant-ID') ?? undefined);
    for (const [name, value] of Object.entries(credential)) attempt.headers.set(name, value);
    const response = await reach(attempt);
    if (response.status === 401) await renewSession(credential);
    else if (response.status === 429) await waitAsTold(response);
    else return response;
    request.signal.throwIfAborted();
  }
}
