import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

export interface IssuerOptions {
  readonly port: number;
  /** Private keys; the first signs. */
  readonly keys: readonly JWK[];
  /** Further claims of the access tokens of each subject. */
  readonly subjects: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** A client that people sign in to. */
  readonly web?: { readonly clientId: string; readonly clientSecret: string; readonly redirectUri: string };
  /** Claims of the ID tokens of each person. */
  readonly people?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An OpenID Connect issuer in a process of its own. */
export class OidcIssuer {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(options: IssuerOptions): Promise<OidcIssuer> {
    const child = fork(new URL('./oidc-issuer-process.mjs', import.meta.url), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.send(options);
    await once(child, 'message');
    return new OidcIssuer(`http://127.0.0.1:${options.port}`, child);
  }

  /** An access token as the issuer gives it out. */
  async tokenFor(subject: string, audience: string): Promise<string> {
    const response = await fetch(`${this.url}/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${subject}:${encodeURIComponent(`secret of ${subject}`)}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience, scope: 'api' }),
    });
    const body = (await response.json()) as { access_token?: string };
    if (body.access_token === undefined) throw new Error(`The issuer gives no token: ${JSON.stringify(body)}`);
    return body.access_token;
  }

  /**
   * Signs a person in as a browser without any cookies of before would, from the address that a client sends it to; null turns back instead.
   * Gives the address that the browser is sent back to.
   */
  async visit(address: string, person: string | null): Promise<URL> {
    const cookies = new Map<string, string>();
    let next: { url: URL; form?: URLSearchParams } = { url: new URL(address) };
    while (next.url.origin === new URL(this.url).origin) {
      const { url, form } = next;
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
        ...(form === undefined ? {} : { method: 'POST', body: form }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location !== null) next = { url: new URL(location, url) };
      else if (!url.pathname.startsWith('/interaction/')) {
        throw new Error(`The issuer stops at ${url.href}: ${response.status} ${await response.text()}`);
      } else if (person === null) next = { url: new URL(`${url.pathname}/abort`, url) };
      else next = { url, form: new URLSearchParams({ prompt: 'login', login: person }) };
    }
    return next.url;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}

/** A new private key as a JWK. */
export async function newSigningKey(kid: string, alg: 'RS256' | 'ES256' = 'RS256'): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' };
}

/** A port that was free a moment ago: the issuer keeps its address when it starts again. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
