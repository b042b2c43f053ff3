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
  /** The session. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Whether it is the one that this request's access token belongs to. */
  @ApiProperty({ type: Boolean })
  current!: boolean;

  /** Where its refresh token is kept: `cookie` of a browser, or `token`, by the program that logged in. */
  @ApiProperty({ enum: ['token', 'cookie'] })
  session!: 'token' | 'cookie';

  /** What the browser or program called itself last, 200 characters at most; null: it did not say. */
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  })
  user_agent!: string | null;

  /** Network that it was used from last: the /24 of an IPv4 address, the /48 of an IPv6 address; null: not known. */
  @ApiProperty({ type: String, nullable: true, example: '192.0.2.0/24' })
  network!: string | null;

  /** When it began. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** When it was used last, by the login or a refresh. */
  @ApiProperty({ type: String, format: 'date-time' })
  last_used_at!: string;

  /** Until when it can be refreshed. */
  @ApiProperty({ type: String, format: 'date-time' })
  expires_at!: string;
}

/** A page of sessions. */
export class OwnSessionPage {
  /** The sessions of this page. */
  @ApiProperty({ type: [OwnSession] })
  items!: OwnSession[];

  /** How many there are in all. */
  @ApiProperty({ type: 'integer' })
  total!: number;

  /** How many were left out at the beginning. */
  @ApiProperty({ type: 'integer' })
  skip!: number;

  /** How many there are at most. */
  @ApiProperty({ type: 'integer' })
  limit!: number;
}
