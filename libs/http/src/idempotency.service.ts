import { createHash, scrypt, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable, Optional } from '@nestjs/common';
import { CatalogueError, canonicalJson, isUuid, type DatasetId, type FieldProblem } from '#libs/common';
import { columnsOf, result, rowsOf, SQL_NOW, statement, UnitOfWork, type TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetSight, datasetsNamedIn } from './dataset-sight.port.js';
import { DocumentSight, idsDescribedIn, idsNamedIn, isBulkAnswer } from './document-sight.port.js';
import { httpErrors } from './http.errors.js';
import { IdempotencyKeyEntity } from './idempotency-key.entity.js';
import type { KeptResponse } from './kept-response.js';

export interface IdempotentRequest {
  readonly key: string;
  /** Method and route pattern. */
  readonly route: string;
  /** Hash of path, query and body, by which two requests are equal. */
  readonly bodyHash: string;
  /** Datasets that the request names: a caller that no longer sees one of them does not get the first result. */
  readonly datasetIds?: readonly string[];
  /** Documents that the request names, likewise. */
  readonly documentIds?: readonly string[];
}

export type IdempotentOutcome = KeptResponse & { readonly replayed: boolean };

const KEPT_HOURS = 24;
/** Results without an effect: the next request with the key is processed again. */
const NOT_KEPT = new Set([401, 403, 429]);

const TRY_LOCK = statement({ ok: result.boolean }, `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 2)) AS ok`);
const FIND = statement(
  columnsOf(IdempotencyKeyEntity, 'body_hash', 'response'),
  `SELECT body_hash, response FROM idempotency_keys
   WHERE principal = $1 AND route = $2 AND key = $3 AND expires_at > ${SQL_NOW}`,
);
const KEEP = statement(
  {},
  `INSERT INTO idempotency_keys (tenant_id, principal, route, key, body_hash, owner, response, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(hours => $8))
   ON CONFLICT (tenant_id, principal, route, key) DO UPDATE SET body_hash = excluded.body_hash, owner = excluded.owner,
     response = excluded.response, started_at = now(), expires_at = excluded.expires_at
   WHERE idempotency_keys.expires_at <= ${SQL_NOW}`,
);
const FORGET_EXPIRED = statement(
  columnsOf(IdempotencyKeyEntity, 'key'),
  `DELETE FROM idempotency_keys WHERE ctid IN (
     SELECT ctid FROM idempotency_keys WHERE expires_at <= ${SQL_NOW} ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING key`,
);
const REPLACE_OF_DOCUMENTS = statement(
  columnsOf(IdempotencyKeyEntity, 'key'),
  `UPDATE idempotency_keys k SET response = $2
   FROM (SELECT DISTINCT tenant_id, principal, route, key FROM idempotency_documents WHERE document_id = ANY ($1::uuid[])) named
   WHERE (k.tenant_id, k.principal, k.route, k.key) = (named.tenant_id, named.principal, named.route, named.key)
   RETURNING k.key`,
);

const SECRET_FIELD = /"[a-z_]*(?:password|secret)"/i;
const derive = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);

/**
 * Hash of a JSON request for `IdempotentRequest.bodyHash`. A body with a password is hashed slowly and with a salt, so that the stored hash does
 * not make the password guessable.
 */
export async function hashRequest(path: string, body: unknown, salt: string): Promise<string> {
  const text = `${path}\n${canonicalJson(body ?? null)}`;
  if (!SECRET_FIELD.test(text)) return createHash('sha256').update(text).digest('hex');
  return (await derive(text, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 })).toString('hex');
}

const REFUSED_FOR_ITS_FORM: readonly number[] = [400, 413, 415, 422];
/** What bulk answers say of a document that the caller does not see. */
const NOT_SEEN = 'documents.not_found';

/**
 * Runs an effect at most once for an `Idempotency-Key`. Its result is written in the transaction of the effect, so that both exist or neither.
 * While the effect runs, that transaction holds an advisory lock, which a crash releases.
 */
@Injectable()
export class IdempotencyService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    @Optional() private readonly sight?: DatasetSight,
    @Optional() private readonly documents?: DocumentSight,
  ) {}

  /** @throws `http.idempotency_in_progress`, `http.idempotency_key_reused`, `documents.not_found`, `datasets.not_found`, and what the effect throws. */
  async run(
    ctx: RequestContext,
    request: IdempotentRequest,
    effect: (ctx: TransactionContext) => Promise<KeptResponse>,
  ): Promise<IdempotentOutcome> {
    if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(request.key))
      throw httpErrors.idempotency_key_invalid({});
    try {
      return await this.unitOfWork.run(ctx, async (_manager, inner) => {
        const first = await this.claim(inner, request);
        if (first) {
          // What was refused for its form says nothing of a dataset or document.
          if (!REFUSED_FOR_ITS_FORM.includes(first.status)) await this.assertSeen(inner, request, first);
          return { ...first, replayed: true };
        }
        const response = await effect(inner);
        await this.keep(inner, request, response);
        return { ...response, replayed: false };
      });
    } catch (error) {
      await this.keepFailure(ctx, request, error);
      throw error;
    }
  }

  private async assertSeen(ctx: TransactionContext, request: IdempotentRequest, first: KeptResponse): Promise<void> {
    const datasetIds = uuidsOf([...(request.datasetIds ?? []), ...datasetsNamedIn(first.body)]);
    if (datasetIds.length > 0) await this.sight?.assertVisible(ctx, datasetIds as DatasetId[]);
    // What the first result says not to be there was not seen then.
    const unseen = isBulkAnswer(first.body) ? first.body.rejected.filter(({ code }) => code === NOT_SEEN) : [];
    const left = new Set(unseen.map(({ id }) => id.toLowerCase()));
    const named = [...(request.documentIds ?? []), ...(first.documents ?? [])].map((id) => id.toLowerCase());
    const documentIds = uuidsOf(named.filter((id) => !left.has(id)));
    if (documentIds.length > 0) await this.documents?.assertVisible(ctx, documentIds);
  }

  /** The first result, or undefined when this request is the first; holds the lock until the transaction ends. */
  private async claim(ctx: TransactionContext, request: IdempotentRequest): Promise<KeptResponse | undefined> {
    return this.unitOfWork.run(ctx, async (manager) => {
      const name = [ctx.tenantId, principalName(ctx), request.route, request.key].join('\n');
      const [lock] = await rowsOf(manager, TRY_LOCK, [name]);
      if (lock?.ok !== true) throw httpErrors.idempotency_in_progress({}, { retryAfter: 1 });
      const [row] = await rowsOf(manager, FIND, [principalName(ctx), request.route, request.key]);
      if (row === undefined) return undefined;
      if (row.body_hash !== request.bodyHash) throw httpErrors.idempotency_key_reused({});
      return row.response ?? undefined;
    });
  }

  private async keep(ctx: RequestContext, request: IdempotentRequest, response: KeptResponse): Promise<void> {
    if (response.status >= 500 || NOT_KEPT.has(response.status)) return;
    await this.unitOfWork.run(ctx, async (manager, inner) => {
      const described = response.problem === undefined ? idsDescribedIn(response.body) : idsNamedIn(response.problem);
      const documents = described.length === 0 ? [] : ((await this.documents?.listKnown(inner, described)) ?? []);
      await rowsOf(manager, KEEP, [
        ctx.tenantId,
        principalName(ctx),
        request.route,
        request.key,
        request.bodyHash,
        ctx.requestId,
        documents.length === 0 ? response : { ...response, documents },
        KEPT_HOURS,
      ]);
    });
  }

  /** Removes up to `limit` expired results of the tenant. Resolves to their number. */
  async forgetExpired(ctx: RequestContext, limit: number): Promise<number> {
    const gone = await this.unitOfWork.run(ctx, (manager) => rowsOf(manager, FORGET_EXPIRED, [limit]));
    return gone.length;
  }

  /**
   * Replaces all results that contain more of one of the documents than its id by an error; the effect is not repeated. Runs in the transaction
   * of `ctx` if there is one, in time proportional to the number of these results. Resolves to their number.
   */
  async forgetDocuments(ctx: RequestContext, ids: readonly string[], error: CatalogueError): Promise<number> {
    const replaced = await this.unitOfWork.run(ctx, (manager) =>
      rowsOf(manager, REPLACE_OF_DOCUMENTS, [ids, keptError(error)]),
    );
    return replaced.length;
  }

  private async keepFailure(ctx: RequestContext, request: IdempotentRequest, error: unknown): Promise<void> {
    if (!(error instanceof CatalogueError) || error.code.startsWith('http.idempotency_')) return;
    await this.keep(ctx, request, keptError(error));
  }
}

function uuidsOf(named: readonly string[]): string[] {
  return [...new Set(named)].filter(isUuid);
}

function keptError({ code, title, message: detail, errors, errorCount, status }: CatalogueError): KeptResponse {
  return { status, headers: {}, body: null, problem: { code, title, detail, ...listed(errors, errorCount) } };
}

/** The stored result as an error, if it was one. */
export function replayedError(kept: KeptResponse): CatalogueError | undefined {
  if (kept.problem === undefined) return undefined;
  const { code, title, detail, errors, errorCount } = kept.problem;
  return new CatalogueError(
    { code, title, status: kept.status as CatalogueError['status'] },
    detail,
    {},
    {
      ...listed(errors, errorCount),
      headers: { 'Idempotency-Replayed': 'true' },
    },
  );
}

function listed(
  errors: readonly FieldProblem[] | undefined,
  errorCount: number | undefined,
): { errors?: readonly FieldProblem[]; errorCount?: number } {
  return {
    ...(errors === undefined ? {} : { errors }),
    ...(errorCount === undefined ? {} : { errorCount }),
  };
}

function principalName(ctx: RequestContext): string {
  switch (ctx.principal.kind) {
    case 'account':
      return `account:${ctx.principal.accountId}`;
    case 'api_key':
      return `api_key:${ctx.principal.keyId}`;
    case 'system':
      return 'system';
  }
}
