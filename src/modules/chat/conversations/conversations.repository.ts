import { Injectable } from '@nestjs/common';
import { newId } from '#libs/common';
import {
  allColumnsOf,
  columnsOf,
  result,
  statement,
  statementFamily,
  TenantRepository,
  UnitOfWork,
  type RowOf,
  type TransactionContext,
} from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { CONVERSATION_ORDERS, type ConversationOrder } from './conversation.dto.js';
import { conversationOwnerOf, ownedBy } from '../questions/conversation-owner.js';
import { ConversationEntity, type ConversationId } from '../turn/conversation.entity.js';

/** A row behind which a page begins. */
export interface ConversationPlace {
  readonly value: string;
  readonly id: string;
}

export interface ConversationListPage {
  readonly orderBy: ConversationOrder;
  readonly after?: ConversationPlace;
  readonly skip: number;
  readonly limit: number;
}

const CONVERSATION = { ...allColumnsOf(ConversationEntity), turn_count: result.integer };
export type ConversationRow = RowOf<typeof CONVERSATION>;

const COLUMNS = `c.*, (SELECT count(*)::int FROM conversation_turns t WHERE t.conversation_id = c.id) AS turn_count`;
const COLUMN_OF: Readonly<Record<ConversationOrder, string>> = {
  created_at: 'c.created_at',
  '-created_at': 'c.created_at',
  last_turn_at: 'c.last_turn_at',
  '-last_turn_at': 'c.last_turn_at',
};

const INSERT = statement(
  columnsOf(ConversationEntity, 'id'),
  `INSERT INTO conversations (id, tenant_id, account_id, api_key_id, title) VALUES ($1, $2, $3, $4, $5) RETURNING id`,
);
const COUNT = statement(
  { n: result.integer },
  `SELECT count(*)::int AS n FROM conversations c WHERE ${ownedBy('c', 1)}`,
);
const LIST = statementFamily(
  CONVERSATION,
  (order: ConversationOrder, isBehind: boolean, limit: number, skip: number) => {
    const column = COLUMN_OF[order];
    const [direction, sign] = order.startsWith('-') ? ['DESC', '<'] : ['ASC', '>'];
    const behind = isBehind ? `AND (${column}, c.id) ${sign} ($3::timestamptz, $4::uuid)` : '';
    return `SELECT ${COLUMNS} FROM conversations c WHERE ${ownedBy('c', 1)} ${behind}
      ORDER BY ${column} ${direction}, c.id ${direction} LIMIT ${limit} OFFSET ${skip}`;
  },
  CONVERSATION_ORDERS.flatMap((order) => [true, false].map((isBehind) => [order, isBehind, 20, 0] as const)),
);
const FIND = statement(CONVERSATION, `SELECT ${COLUMNS} FROM conversations c WHERE c.id = $3 AND ${ownedBy('c', 1)}`);
const RENAME = statement(
  columnsOf(ConversationEntity, 'id'),
  `UPDATE conversations c SET title = $4 WHERE c.id = $3 AND ${ownedBy('c', 1)} RETURNING c.id`,
);
const REMOVE = statement(
  columnsOf(ConversationEntity, 'id'),
  `DELETE FROM conversations c WHERE c.id = $3 AND ${ownedBy('c', 1)} RETURNING c.id`,
);
const ADVANCE = statement(
  columnsOf(ConversationEntity, 'last_place'),
  `UPDATE conversations c SET last_place = c.last_place + 1, last_turn_at = now(), title = coalesce(c.title, $4)
   WHERE c.id = $3 AND ${ownedBy('c', 1)} RETURNING c.last_place`,
);
const REMOVE_OLD = statement(
  columnsOf(ConversationEntity, 'id'),
  `DELETE FROM conversations WHERE id IN (
     SELECT id FROM conversations WHERE last_turn_at < now() - make_interval(days => $1) ORDER BY last_turn_at LIMIT $2)
   RETURNING id`,
);
const REMOVE_EMPTIED = statement(
  columnsOf(ConversationEntity, 'id'),
  `DELETE FROM conversations c WHERE c.id = ANY ($1::uuid[])
     AND NOT EXISTS (SELECT 1 FROM conversation_turns t WHERE t.conversation_id = c.id) RETURNING c.id`,
);

/** Conversations, each found by its owner alone. */
@Injectable()
export class ConversationsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async insert(ctx: RequestContext, title: string | null): Promise<ConversationId> {
    const id = newId<ConversationId>();
    await this.query(ctx, INSERT, [id, ctx.tenantId, ...ownerValues(ctx), title]);
    return id;
  }

  /** Number of the caller's conversations. */
  async count(ctx: RequestContext): Promise<number> {
    return (await this.queryOne(ctx, COUNT, ownerValues(ctx)))?.n ?? 0;
  }

  /** The caller's, one row more than the page takes where there are more behind it. */
  async list(ctx: RequestContext, { orderBy, after, skip, limit }: ConversationListPage): Promise<ConversationRow[]> {
    const parameters = [...ownerValues(ctx), ...(after === undefined ? [] : [after.value, after.id])];
    return this.query(ctx, LIST.of(orderBy, after !== undefined, limit + 1, skip), parameters);
  }

  /** Undefined when it is absent or another's. */
  async find(ctx: RequestContext, id: string): Promise<ConversationRow | undefined> {
    return this.queryOne(ctx, FIND, [...ownerValues(ctx), id]);
  }

  /** False when it is absent or another's. */
  async rename(ctx: RequestContext, id: string, title: string): Promise<boolean> {
    return (await this.query(ctx, RENAME, [...ownerValues(ctx), id, title])).length > 0;
  }

  /** With its turns. False when it is absent or another's. */
  async remove(ctx: RequestContext, id: string): Promise<boolean> {
    return (await this.query(ctx, REMOVE, [...ownerValues(ctx), id])).length > 0;
  }

  /** Reserves the place of a new turn until the transaction ends; undefined when the conversation is gone. */
  async advance(ctx: TransactionContext, id: ConversationId, title: string): Promise<number | undefined> {
    return (await this.queryOne(ctx, ADVANCE, [...ownerValues(ctx), id, title]))?.last_place;
  }

  /** Removes some conversations of the tenant that were not continued for this many days. Resolves to their number. */
  async removeOld(ctx: RequestContext, days: number, limit: number): Promise<number> {
    return (await this.query(ctx, REMOVE_OLD, [days, limit])).length;
  }

  /** Removes those of the conversations that have no turn left. */
  async removeEmptied(ctx: RequestContext, ids: readonly ConversationId[]): Promise<void> {
    await this.query(ctx, REMOVE_EMPTIED, [ids]);
  }
}

function ownerValues(ctx: RequestContext): [string, string | null] {
  const { accountId, apiKeyId } = conversationOwnerOf(ctx);
  return [accountId, apiKeyId];
}
