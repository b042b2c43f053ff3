import { Injectable } from '@nestjs/common';
import { newId, type AccountId, type Page } from '#libs/common';
import {
  columnsOf,
  result,
  SQL_NOW,
  statement,
  statementFamily,
  UnitOfWork,
  type RowOf,
  type TransactionContext,
} from '#libs/database';
import type { RequestContext, Role } from '#libs/tenancy';
import { InvitationEntity } from '../record/invitation.entity.js';
import { LIST_ORDERS, pageOf, type ListOrder, type ListPage } from '../record/list-order.repository.js';
import { SystemRepository } from '../record/system.repository.js';

const INVITATION = columnsOf(
  InvitationEntity,
  'id',
  'tenant_id',
  'email',
  'role',
  'invited_by',
  'created_at',
  'expires_at',
);

/** An open invitation. */
export type InvitationRow = RowOf<typeof INVITATION>;

/** An invitation for the invited account. */
export interface OwnInvitationRow extends InvitationRow {
  readonly tenant_name: string;
}

export interface NewInvitation {
  readonly email: string;
  readonly role: Role;
  readonly secretHash: string;
  readonly invitedBy: AccountId;
  /** The account that was created with the invitation; null: no password was given. */
  readonly firstLoginOf: AccountId | null;
}

const DAYS = 7;
const COLUMNS = 'i.id, i.tenant_id, i.email, i.role, i.invited_by, i.created_at, i.expires_at';
/** Only for an address that the issuer or the administrator of the installation gave the account, not an inviter. */
const OWN = `SELECT ${COLUMNS}, t.name, t.name AS tenant_name FROM invitations i JOIN tenants t ON t.id = i.tenant_id
  WHERE i.expires_at > ${SQL_NOW} AND (
    EXISTS (SELECT 1 FROM accounts a WHERE a.id = $1 AND a.vouched AND lower(a.email) = lower(i.email))
    OR EXISTS (SELECT 1 FROM accounts a JOIN oidc_identities o ON o.account_id = CASE WHEN a.joined_to IS NULL THEN a.id ELSE a.joined_to END
               WHERE a.id = $1 AND lower(o.email) = lower(i.email)))`;
const OF_TENANT = `SELECT ${COLUMNS}, i.email AS name FROM invitations i WHERE i.tenant_id = $1`;

const WITH_TENANT_NAME = { ...INVITATION, tenant_name: result.text() };
const OWN_LISTED = { ...WITH_TENANT_NAME, name: result.text() };
const TOTAL = { total: result.integer };
const ORDERS = LIST_ORDERS.map((order) => [order] as const);
const LIST_OF_ACCOUNT = statementFamily(OWN_LISTED, (order: ListOrder) => pageOf(OWN, order, 2), ORDERS);
const COUNT_OF_ACCOUNT = statement(TOTAL, `SELECT count(*)::int AS total FROM (${OWN}) AS counted`);
const LIST_OF_TENANT = statementFamily(
  { ...INVITATION, name: result.text() },
  (order: ListOrder) => pageOf(OF_TENANT, order, 2),
  ORDERS,
);
const COUNT_OF_TENANT = statement(TOTAL, `SELECT count(*)::int AS total FROM (${OF_TENANT}) AS counted`);
const FIND_OWN = statement(OWN_LISTED, `SELECT * FROM (${OWN}) AS own WHERE own.id = $2`);
const FIND_BY_SECRET = statement(
  WITH_TENANT_NAME,
  `SELECT ${COLUMNS}, t.name AS tenant_name FROM invitations i JOIN tenants t ON t.id = i.tenant_id
   WHERE i.secret_hash = $1 AND i.expires_at > ${SQL_NOW}`,
);
const PREVIEWED = { ...WITH_TENANT_NAME, inviter_name: result.orNull(result.text()) };
const PREVIEW = statement(
  PREVIEWED,
  `SELECT ${COLUMNS}, t.name AS tenant_name, a.name AS inviter_name FROM invitations i JOIN tenants t ON t.id = i.tenant_id
   LEFT JOIN accounts a ON a.id = i.invited_by WHERE i.secret_hash = $1 AND i.expires_at > ${SQL_NOW}`,
);
const FIND_OF_FIRST_LOGIN = statement(INVITATION, `SELECT ${COLUMNS} FROM invitations i WHERE i.first_login_of = $1`);
const PUT = statement(
  INVITATION,
  `INSERT INTO invitations AS i (id, tenant_id, email, role, secret_hash, invited_by, first_login_of, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(days => $8))
   ON CONFLICT (tenant_id, lower(email)) DO UPDATE SET id = excluded.id, email = excluded.email, role = excluded.role,
     secret_hash = excluded.secret_hash, invited_by = excluded.invited_by, created_at = now(),
     expires_at = excluded.expires_at, first_login_of = coalesce(excluded.first_login_of, i.first_login_of)
   RETURNING ${COLUMNS}`,
);
const END_FIRST_LOGIN = statement({}, `UPDATE invitations SET first_login_of = NULL WHERE first_login_of = $1`);
const TAKE = statement(
  columnsOf(InvitationEntity, 'id'),
  `DELETE FROM invitations WHERE id = $1 AND expires_at > ${SQL_NOW} RETURNING id`,
);
const WITHDRAW = statement(
  columnsOf(InvitationEntity, 'id'),
  `DELETE FROM invitations WHERE tenant_id = $1 AND id = $2 RETURNING id`,
);
/** Accounts that were created with an invitation and never used: no session, no tenant. */
const REMOVE_UNUSED = `DELETE FROM accounts a USING invitations i WHERE a.id = i.first_login_of
   AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.account_id = a.id)
   AND NOT EXISTS (SELECT 1 FROM refresh_families f WHERE f.account_id = a.id) AND i.tenant_id = $1`;
const REMOVE_UNUSED_OF = statement({}, `${REMOVE_UNUSED} AND i.id = $2`);
const REMOVE_UNUSED_FOR = statement({}, `${REMOVE_UNUSED} AND lower(i.email) = lower($2)`);
const REMOVE_UNUSED_BY = statement({}, `${REMOVE_UNUSED} AND i.invited_by = $2`);

/** An invitation for a caller who has its secret. */
export type PreviewRow = RowOf<typeof PREVIEWED>;

/** Rows of `invitations`: open invitations, some of them expired. They contain only hashes of secrets. */
@Injectable()
export class InvitationsRepository extends SystemRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Stores an invitation to the tenant of the context. It replaces an earlier one of the address, with its secret. */
  async put(ctx: TransactionContext, invitation: NewInvitation): Promise<InvitationRow> {
    const { email, role, secretHash, invitedBy, firstLoginOf } = invitation;
    const row = await this.queryOne(ctx, PUT, [
      newId(),
      ctx.tenantId,
      email,
      role,
      secretHash,
      invitedBy,
      firstLoginOf,
      DAYS,
    ]);
    return row!;
  }

  /** The valid invitation with this secret. There is no context yet, because the tenant is first known from it. */
  async findBySecret(secretHash: string): Promise<OwnInvitationRow | undefined> {
    const [row] = await this.queryBeforeContext(FIND_BY_SECRET, [secretHash]);
    return row;
  }

  /** The preview of the valid invitation with this secret. */
  async findPreview(secretHash: string): Promise<PreviewRow | undefined> {
    const [row] = await this.queryBeforeContext(PREVIEW, [secretHash]);
    return row;
  }

  /** Invitations that the first login of this account accepts; some may have expired. */
  findOfFirstLogin(accountId: AccountId): Promise<InvitationRow[]> {
    return this.queryBeforeContext(FIND_OF_FIRST_LOGIN, [accountId]);
  }

  /** Records that the first login of this account has happened. */
  async endFirstLoginOf(accountId: AccountId): Promise<void> {
    await this.queryBeforeContext(END_FIRST_LOGIN, [accountId]);
  }

  /** Removes a valid invitation; false when it does not exist any more, so that only one of two simultaneous requests accepts it. */
  async take(ctx: TransactionContext, id: string): Promise<boolean> {
    const taken = await this.query(ctx, TAKE, [id]);
    return taken.length > 0;
  }

  async listOfTenant(ctx: RequestContext, page: ListPage): Promise<Page<InvitationRow>> {
    const items = await this.query(ctx, LIST_OF_TENANT.of(page.order_by), [ctx.tenantId, page.limit, page.skip]);
    const counted = await this.queryOne(ctx, COUNT_OF_TENANT, [ctx.tenantId]);
    return { items, total: counted?.total ?? 0, skip: page.skip, limit: page.limit };
  }

  async listOfAccount(ctx: RequestContext, accountId: AccountId, page: ListPage): Promise<Page<OwnInvitationRow>> {
    const items = await this.query(ctx, LIST_OF_ACCOUNT.of(page.order_by), [accountId, page.limit, page.skip]);
    const counted = await this.queryOne(ctx, COUNT_OF_ACCOUNT, [accountId]);
    return { items, total: counted?.total ?? 0, skip: page.skip, limit: page.limit };
  }

  /** The invitation, if it is for an address of this account that does not come from an inviter. */
  async findOwn(ctx: RequestContext, accountId: AccountId, id: string): Promise<InvitationRow | undefined> {
    return this.queryOne(ctx, FIND_OWN, [accountId, id]);
  }

  /** Removes an invitation of the tenant of the context, with an unused account that was created for it. */
  async withdraw(ctx: TransactionContext, id: string): Promise<boolean> {
    await this.removeUnusedAccountOf(ctx, id);
    const withdrawn = await this.query(ctx, WITHDRAW, [ctx.tenantId, id]);
    return withdrawn.length > 0;
  }

  /** Removes the account that was created with this invitation to the tenant of the context, if it is unused. */
  async removeUnusedAccountOf(ctx: TransactionContext, id: string): Promise<void> {
    await this.query(ctx, REMOVE_UNUSED_OF, [ctx.tenantId, id]);
  }

  /** Removes the account that was created with an open invitation of this address to the tenant of the context, if it is unused. */
  async removeUnusedAccountFor(ctx: TransactionContext, email: string): Promise<void> {
    await this.query(ctx, REMOVE_UNUSED_FOR, [ctx.tenantId, email]);
  }

  /** Removes invitations that the account has made to the tenant of the context; they are valid only as long as its role. */
  async withdrawAllBy(ctx: TransactionContext, accountId: AccountId): Promise<void> {
    await this.query(ctx, REMOVE_UNUSED_BY, [ctx.tenantId, accountId]);
    await this.withRepository(ctx, InvitationEntity, (rows) =>
      rows.delete({ tenant_id: ctx.tenantId, invited_by: accountId }),
    );
  }
}
