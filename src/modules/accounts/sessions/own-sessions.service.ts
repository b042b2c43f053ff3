import { Injectable } from '@nestjs/common';
import { isUuid } from '#libs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { accountErrors } from '../accounts.errors.js';
import { HomeTenant } from '../credentials/home-tenant.service.js';
import { actingAccount } from '../record/acting-account.js';
import type { OwnSession, OwnSessionPage } from './own-session.dto.js';
import { OwnSessionsRepository, type SessionRow } from './own-sessions.repository.js';
import type { SessionListPage } from './session-order.js';

/** Lists and ends the sessions of the caller. */
@Injectable()
export class OwnSessionsService {
  constructor(
    private readonly sessions: OwnSessionsRepository,
    private readonly home: HomeTenant,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** Sessions that can still be refreshed; `current` marks the session of this request, if its credential names one. */
  async list(ctx: RequestContext, current: string | undefined, page: SessionListPage): Promise<OwnSessionPage> {
    const found = await this.sessions.list(ctx, actingAccount(ctx), page);
    return { ...found, items: found.items.map((row) => toOwnSession(row, current)) };
  }

  /** Ends a session, which can no longer be refreshed. @throws `accounts.session_not_found` */
  async end(ctx: RequestContext, id: string): Promise<void> {
    await this.unitOfWork.run(await this.home.contextOf(ctx), async (_manager, inner) => {
      const ended = isUuid(id) && (await this.sessions.end(inner, actingAccount(inner), id));
      if (!ended) throw accountErrors.session_not_found({});
      await this.audit.append(inner, { event: 'session.ended', subject: `session:${id.toLowerCase()}` });
    });
  }

  /** Ends all sessions, and access tokens at their next request, including the one of this call. */
  async endAll(ctx: RequestContext): Promise<void> {
    await this.unitOfWork.run(await this.home.contextOf(ctx), async (_manager, inner) => {
      const id = actingAccount(inner);
      await this.sessions.endAll(inner, id);
      await this.audit.append(inner, { event: 'account.sessions_ended', subject: `account:${id}` });
    });
  }
}

function toOwnSession(row: SessionRow, current: string | undefined): OwnSession {
  return {
    id: row.id,
    current: row.id === current,
    session: row.in_cookie ? 'cookie' : 'token',
    user_agent: row.user_agent,
    network: row.network,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
