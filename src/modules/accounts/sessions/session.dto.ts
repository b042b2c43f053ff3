import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, IsUUID, MaxLength } from 'class-validator';
import { IfPresent } from '#libs/http';
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH } from '../record/request-fields.js';

const MAX_TOKEN_LENGTH = 256;

/** Where the refresh token of a session is kept. */
const SESSION_PLACES = ['token', 'cookie'] as const;

/** Who wants to log in. */
export class LoginDto {
  /**
   * E-mail address of the account, without regard to case.
   * @example "admin@example.com"
   */
  @ApiProperty({ type: String, maxLength: MAX_EMAIL_LENGTH })
  @IsString()
  @MaxLength(MAX_EMAIL_LENGTH)
  email!: string;

  /** Its password. */
  @ApiProperty({ type: String, format: 'password', maxLength: MAX_PASSWORD_LENGTH })
  @IsString()
  @MaxLength(MAX_PASSWORD_LENGTH)
  password!: string;

  /** Tenant of the account, where the password is right for several accounts of the e-mail address. It selects the account, not the tenant that requests act in. */
  @ApiPropertyOptional({ type: String, format: 'uuid' })
  @IfPresent()
  @IsUUID()
  tenant_id?: string;

  /** Where the refresh token goes: `token`, into the answer, for programs; `cookie`, into a cookie that no script reads, for pages of the service's own origin. */
  @ApiPropertyOptional({ enum: SESSION_PLACES, default: 'token' })
  @IfPresent()
  @IsIn(SESSION_PLACES)
  session?: (typeof SESSION_PLACES)[number];
}

/** A refresh token; left out by a page whose session is in a cookie. */
export class RefreshTokenDto {
  /** The newest refresh token of the session, `kbr_…`. Without it the cookie of a session counts, and the page has to be of the service's own origin. */
  @ApiPropertyOptional({ type: String, maxLength: MAX_TOKEN_LENGTH })
  @IfPresent()
  @IsString()
  @MaxLength(MAX_TOKEN_LENGTH)
  refresh_token?: string;
}

/** The tokens of a session. */
export class TokenResponse {
  /** Send it as `Authorization: Bearer <access_token>`. */
  @ApiProperty({ type: String })
  access_token!: string;

  /** Kind of the access token. */
  @ApiProperty({ enum: ['bearer'] })
  token_type!: 'bearer';

  /** Lifetime of the access token in seconds. */
  @ApiProperty({ type: 'integer', minimum: 1, example: 3600 })
  expires_in!: number;

  /** Gives new tokens once, at `POST /auth/refresh`; using it twice ends the session. Absent where the session is in a cookie. */
  @ApiPropertyOptional({ type: String })
  refresh_token?: string;
}

/** How people can sign in. */
export class SignInMethods {
  /** With e-mail and password, at `POST /auth/login`. */
  @ApiProperty({ type: Boolean })
  password!: boolean;

  /** At an OpenID Connect issuer: a browser begins at `/api/v1/auth/oidc/start?return_to=<path of a page>` and comes back with a session in a cookie. */
  @ApiProperty({ type: Boolean })
  oidc!: boolean;
}
