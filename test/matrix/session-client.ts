import { ApiClient, type Answer, type Problem } from '../support/api-client.js';

/** The present access token of someone, who logs in again when it has ended. */
interface Session {
  token: string;
  renew(): Promise<string>;
}

/**
 * A client of someone who logs in again when a change of the password has ended the session, and repeats the request: the requests
 * of the matrix change passwords, too.
 */
export class SessionClient extends ApiClient {
  private constructor(
    url: string,
    private readonly session: Session,
    private readonly more: Readonly<Record<string, string>> = {},
  ) {
    super(url);
    Object.defineProperty(this, 'headers', {
      get: () => ({ Authorization: `Bearer ${session.token}`, ...this.more }),
    });
  }

  static async open(anonymous: ApiClient, email: string, password: string): Promise<SessionClient> {
    const renew = async (): Promise<string> =>
      (await anonymous.post<{ access_token: string }>('/auth/login', { email, password })).access_token;
    return new SessionClient(anonymous.url, { token: await renew(), renew });
  }

  override with(headers: Readonly<Record<string, string>>): ApiClient {
    return new SessionClient(this.url, this.session, { ...this.more, ...headers });
  }

  override async send<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer<T>> {
    const answer = await super.send<T>(method, path, body, headers);
    if (answer.status !== 401 || (answer.body as Problem).code !== 'auth.credential_invalid') return answer;
    this.session.token = await this.session.renew();
    return super.send<T>(method, path, body, headers);
  }
}
