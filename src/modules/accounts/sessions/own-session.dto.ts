import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IfPresent, ListQueryDto } from '#libs/http';
import { SESSION_ORDERS, type SessionOrder } from './session-order.js';

/** Paging and order of sessions. */
export class OwnSessionsQuery extends ListQueryDto {
  /** Order of the rows; a minus sign means descending. */
  @ApiPropertyOptional({ enum: SESSION_ORDERS, default: '-last_used_at' })
  @IfPresent()
  @IsIn(SESSION_ORDERS)
  order_by: SessionOrder = '-last_used_at';
}

/** A session of the caller: what one login began. */
export class OwnSession {
  /** Identifier of the session. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Whether this request's access token belongs to the session. */
  @ApiProperty({ type: Boolean })
  current!: boolean;

  /** Where the refresh token is kept: `cookie`, in a browser; `token`, by the program that logged in. */
  @ApiProperty({ enum: ['token', 'cookie'] })
  session!: 'token' | 'cookie';

  /** Name that the browser or program last gave in `User-Agent`, at most 200 characters; null: none was given. */
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  })
  user_agent!: string | null;

  /** Network that the session was last used from: the /24 of an IPv4 address, the /48 of an IPv6 address; null: unknown. */
  @ApiProperty({ type: String, nullable: true, example: '192.0.2.0/24' })
  network!: string | null;

  /** Time of the login that began the session. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** Time of the last login or refresh. */
  @ApiProperty({ type: String, format: 'date-time' })
  last_used_at!: string;

  /** Time until which the session can be refreshed. */
  @ApiProperty({ type: String, format: 'date-time' })
  expires_at!: string;
}

/** A page of sessions. */
export class OwnSessionPage {
  /** The sessions of this page. */
  @ApiProperty({ type: [OwnSession] })
  items!: OwnSession[];

  /** Total number of sessions. */
  @ApiProperty({ type: 'integer' })
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty({ type: 'integer' })
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty({ type: 'integer' })
  limit!: number;
}
