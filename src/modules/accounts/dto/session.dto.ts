import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, IsUUID, MaxLength } from 'class-validator';
import { IfPresent } from '#libs/http';
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH } from '../request-fields.js';

const MAX_TOKEN_LENGTH = 256;

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
}

/** A refresh token. */
export class RefreshTokenDto {
  /** The newest refresh token of the session, `kbr_…`. */
  @ApiProperty({ type: String, maxLength: MAX_TOKEN_LENGTH })
  @IsString()
  @MaxLength(MAX_TOKEN_LENGTH)
  refresh_token!: string;
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

  /** Gives new tokens once, at `POST /auth/refresh`; using it twice ends the session. */
  @ApiProperty({ type: String })
  refresh_token!: string;
}
