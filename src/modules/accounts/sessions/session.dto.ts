import { Answer, Choice, Flag, Text, Uuid } from '#libs/http';
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH } from '../record/request-fields.dto.js';

const MAX_TOKEN_LENGTH = 256;

/** Where the refresh token of a session is kept. */
const SESSION_PLACES = ['token', 'cookie'] as const;

/** Credentials of a login. */
export class LoginDto {
  /**
   * E-mail address of the account, without regard to case.
   * @example "admin@example.com"
   */
  @Text({ max: MAX_EMAIL_LENGTH })
  email!: string;

  /** Password of the account. */
  @Text({ max: MAX_PASSWORD_LENGTH, described: { format: 'password' } })
  password!: string;

  /**
   * Tenant of the account; needed only if the password is right for several accounts with this e-mail address. It selects the account, not the
   * tenant that requests act in.
   */
  @Uuid({ optional: true })
  tenant_id?: string;

  /**
   * Where the refresh token is sent: `token`: in the answer, for programs; `cookie`: in a cookie that scripts cannot read, for pages of the
   * service's own origin.
   */
  @Choice(SESSION_PLACES, { optional: true, default: 'token' })
  session?: (typeof SESSION_PLACES)[number];
}

/** A refresh token; a page whose session is in a cookie leaves it out. */
export class RefreshTokenDto {
  /**
   * The newest refresh token of the session, `kbr_…`. If it is left out, the cookie is used, and the page must be of the service's own
   * origin.
   */
  @Text({ optional: true, max: MAX_TOKEN_LENGTH })
  refresh_token?: string;
}

/** A session that goes on. */
export class RefreshDto extends RefreshTokenDto {
  /** Whether the answer is 204 instead of 422 where there is neither token nor cookie: a page that is opened does not know whether it has a session. */
  @Flag({ optional: true, default: false })
  session_optional?: boolean = false;
}

/** The tokens of a session. */
export class TokenResponse {
  /** Access token, to be sent as `Authorization: Bearer <access_token>`. */
  @Answer.Text()
  access_token!: string;

  /** Type of the access token. */
  @Answer.Choice(['bearer'])
  token_type!: 'bearer';

  /** Lifetime of the access token in seconds. */
  @Answer.Integer({ min: 1, example: 3600 })
  expires_in!: number;

  /**
   * Refresh token for `POST /auth/refresh`; it works once, and using it a second time ends the session. Absent if the session is in a
   * cookie.
   */
  @Answer.Text({ optional: true })
  refresh_token?: string;
}

/** How people can sign in. */
export class SignInMethods {
  /** Whether people can sign in with e-mail address and password, at `POST /auth/login`. */
  @Answer.Flag()
  password!: boolean;

  /**
   * Whether people can sign in at an OpenID Connect issuer: a browser opens `/api/v1/auth/oidc/start?return_to=<path of a page>` and returns
   * with a session in a cookie.
   */
  @Answer.Flag()
  oidc!: boolean;
}
