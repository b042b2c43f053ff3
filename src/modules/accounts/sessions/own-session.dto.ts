import { Answer, Choice, ListQueryDto, PageOf } from '#libs/http';
import { SESSION_ORDERS, type SessionOrder } from './session-order.js';

/** Paging and order of sessions. */
export class OwnSessionsQuery extends ListQueryDto {
  /** Order of the rows; a minus sign means descending. */
  @Choice(SESSION_ORDERS, { optional: true, default: '-last_used_at' })
  order_by: SessionOrder = '-last_used_at';
}

/** A session of the caller, begun by one login. */
export class OwnSession {
  /** Identifier of the session. */
  @Answer.Uuid()
  id!: string;

  /** Whether the access token of this request belongs to the session. */
  @Answer.Flag()
  current!: boolean;

  /** Where the refresh token is kept: `cookie`, in a browser; `token`, by the program that logged in. */
  @Answer.Choice(['token', 'cookie'])
  session!: 'token' | 'cookie';

  /** Name that the browser or program last gave in `User-Agent`, at most 200 characters; null: none was given. */
  @Answer.Text({ nullable: true, example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' })
  user_agent!: string | null;

  /** Network that the session was last used from: the /24 of an IPv4 address, the /48 of an IPv6 address; null: unknown. */
  @Answer.Text({ nullable: true, example: '192.0.2.0/24' })
  network!: string | null;

  /** Time of the login that began the session. */
  @Answer.Instant()
  created_at!: string;

  /** Time of the last login or refresh. */
  @Answer.Instant()
  last_used_at!: string;

  /** Time until which the session can be refreshed. */
  @Answer.Instant()
  expires_at!: string;
}

/** A page of sessions. */
export class OwnSessionPage extends PageOf(OwnSession, {
  items: 'The sessions of this page.',
  total: 'Total number of sessions.',
  least: null,
}) {}
