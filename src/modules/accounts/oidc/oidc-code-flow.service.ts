import { SystemClock, type Clock } from '#libs/common';
import { findOtherKind } from './access-token-signs.js';
import { readClaims, type ClaimMapping, type OidcSubject } from '../identities/oidc-claims.js';
import { fetchJson, IssuerAnswer, issuerUnavailable, OidcDiscovery, type IssuerDocument } from './oidc-discovery.js';
import { OidcKeys } from './oidc-keys.js';
import { challengeOf, type PendingSignIn } from './pending-sign-in.js';
import { checkToken } from './token-check.js';

const SCOPE = 'openid email profile';

/** Registration of the service at the issuer, with the address to which people return. */
export interface CodeFlowClient extends ClaimMapping {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a public client, which is protected only by PKCE. */
  readonly clientSecret: string | undefined;
  readonly redirectUri: string;
  readonly algorithms: readonly string[];
}

/** The issuer's answer through the browser, not verified yet. */
export interface IssuerAnswerQuery {
  readonly state: string | undefined;
  readonly code: string | undefined;
  readonly iss: string | undefined;
  readonly error: string | undefined;
}

/** Why a sign-in failed, as a code for the log and for the page. */
export type SignInFault = 'expired' | 'denied' | 'failed' | 'unavailable';

/** A failed sign-in; `message` is for the log and contains nothing secret. */
export class SignInRefused extends Error {
  constructor(
    readonly fault: SignInFault,
    reason: string,
  ) {
    super(reason);
  }
}

/**
 * OpenID Connect's authorisation code flow with PKCE (Core 1.0, section 3.1; RFC 7636; RFC 9207; RFC 9700). It only identifies a person;
 * the tokens of the issuer are not used otherwise.
 */
export class OidcCodeFlow {
  readonly issuer: string;
  private readonly discovery: OidcDiscovery;
  private readonly keys: OidcKeys;

  constructor(
    private readonly client: CodeFlowClient,
    private readonly clock: Clock = new SystemClock(),
  ) {
    this.issuer = client.issuer;
    this.discovery = new OidcDiscovery(client.issuer);
    this.keys = new OidcKeys(this.discovery);
  }

  /**
   * The address to which the browser is sent for the sign-in. @throws `accounts.issuer_unavailable`, SignInRefused for an issuer without
   * such a page
   */
  async addressOf(pending: PendingSignIn): Promise<string> {
    const { authorization } = await this.discovery.read();
    if (authorization === undefined) throw new SignInRefused('failed', 'the issuer has no authorization_endpoint');
    const address = new URL(authorization);
    const query = {
      response_type: 'code',
      client_id: this.client.clientId,
      redirect_uri: this.client.redirectUri,
      scope: SCOPE,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: challengeOf(pending),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    return address.href;
  }

  /** The person who has signed in. @throws SignInRefused, `accounts.issuer_unavailable` */
  async findSubject(answer: IssuerAnswerQuery, pending: PendingSignIn | undefined): Promise<OidcSubject> {
    if (pending === undefined) throw new SignInRefused('expired', 'the browser has no sign-in under way');
    if (answer.state !== pending.state) throw new SignInRefused('expired', 'the answer is to another sign-in');
    const document = await this.discovery.read();
    this.refuseMixUp(answer, document);
    if (answer.error !== undefined) {
      const fault = answer.error === 'access_denied' ? 'denied' : 'failed';
      throw new SignInRefused(fault, `the issuer says ${answer.error.slice(0, 64)}`);
    }
    if (answer.code === undefined) throw new SignInRefused('failed', 'the answer has no code');
    return this.readIdToken(await this.exchange(answer.code, pending, document), pending);
  }

  /** Refuses an answer of another issuer, to which the code would otherwise be sent (RFC 9207). */
  private refuseMixUp({ iss }: IssuerAnswerQuery, { namesItself }: IssuerDocument): void {
    if (iss === undefined ? namesItself : iss !== this.issuer) {
      throw new SignInRefused(
        'failed',
        iss === undefined ? 'the answer has no iss' : 'the answer is of another issuer',
      );
    }
  }

  private async exchange(code: string, pending: PendingSignIn, document: IssuerDocument): Promise<string> {
    if (document.token === undefined) throw new SignInRefused('failed', 'the issuer has no token_endpoint');
    const { headers, fields } = this.credentialFor(document);
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.client.redirectUri,
      code_verifier: pending.verifier,
      ...fields,
    });
    const found = await this.ask(document.token, { method: 'POST', headers, body });
    const token = found['id_token'];
    if (typeof token !== 'string') throw new SignInRefused('failed', 'the issuer gives no ID token');
    return token;
  }

  private async ask(address: URL, init: RequestInit): Promise<Readonly<Record<string, unknown>>> {
    try {
      return await fetchJson(address, init);
    } catch (error) {
      if (error instanceof IssuerAnswer && error.status < 500) throw new SignInRefused('failed', error.message);
      throw issuerUnavailable(error instanceof Error ? error.message : String(error), error);
    }
  }

  /** The client's secret in the form that the issuer accepts: in the header if that is allowed, which is the default. */
  private credentialFor({ secretMethods }: IssuerDocument): {
    readonly headers: Record<string, string>;
    readonly fields: Record<string, string>;
  } {
    const { clientId, clientSecret } = this.client;
    const headers = { Accept: 'application/json' };
    if (clientSecret === undefined) return { headers, fields: { client_id: clientId } };
    if (!secretMethods.includes('client_secret_basic') && secretMethods.includes('client_secret_post')) {
      return { headers, fields: { client_id: clientId, client_secret: clientSecret } };
    }
    // RFC 6749, section 2.3.1: both are form-encoded first.
    const [id, secret] = [clientId, clientSecret].map((text) => new URLSearchParams({ text }).toString().slice(5));
    return { headers: { ...headers, Authorization: `Basic ${btoa(`${id}:${secret}`)}` }, fields: {} };
  }

  private async readIdToken(token: string, pending: PendingSignIn): Promise<OidcSubject> {
    const { issuer, clientId: audience, algorithms } = this.client;
    const rules = { issuer, audience, algorithms, requiredClaims: ['sub', 'exp', 'iat', 'nonce'] };
    const checked = await checkToken(token, this.keys.find, rules, this.clock);
    if ('refused' in checked) throw new SignInRefused('failed', `the ID token is refused: ${checked.refused}`);
    const { payload, protectedHeader } = checked;
    const kind = findOtherKind(protectedHeader, payload);
    if (kind !== 'id_token' && kind !== null) throw new SignInRefused('failed', `the ID token is refused: ${kind}`);
    if (payload['nonce'] !== pending.nonce) throw new SignInRefused('failed', 'the ID token is of another sign-in');
    const isForOthersToo = Array.isArray(payload.aud) && payload.aud.length > 1;
    const party = payload['azp'];
    if (party === undefined ? isForOthersToo : party !== audience) {
      throw new SignInRefused('failed', 'the ID token is for another client');
    }
    const subject = readClaims(payload, this.client);
    if (subject === null) throw new SignInRefused('failed', 'the ID token names no subject');
    return subject;
  }
}
