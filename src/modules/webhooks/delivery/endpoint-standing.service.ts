import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { PresentPrincipals, type Principal, type RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import type { DisabledReason, WebhookEndpointEntity, WebhookId } from '../endpoints/webhook-endpoint.entity.js';

type Acting = Pick<WebhookEndpointEntity, 'account_id' | 'dataset_ids'>;

/** The principal of an endpoint at this time, or why the endpoint may no longer act. */
export type Standing = { readonly principal: Principal } | { readonly lost: DisabledReason };

/** Finds what the account of an endpoint may do and see at this time. */
@Injectable()
export class EndpointStanding {
  constructor(
    private readonly principals: PresentPrincipals,
    private readonly datasets: DatasetAccess,
  ) {}

  async of(ctx: RequestContext, endpoint: Acting): Promise<Standing> {
    const principal = await this.principals.find(ctx.tenantId, { kind: 'account', accountId: endpoint.account_id });
    if (principal === null) return { lost: 'account_left' };
    return principal.permissions.has('webhooks:manage') ? { principal } : { lost: 'permission_lost' };
  }

  /**
   * Which endpoints may get events of these datasets, and which may no longer act. Each account is checked once, however many endpoints it
   * has.
   */
  async sort<E extends Acting & { readonly id: WebhookId }>(
    ctx: RequestContext,
    endpoints: readonly E[],
    datasetIds: readonly DatasetId[],
  ): Promise<{
    readonly told: readonly WebhookId[];
    readonly lost: readonly (readonly [WebhookId, DisabledReason])[];
  }> {
    const told: WebhookId[] = [];
    const lost: [WebhookId, DisabledReason][] = [];
    for (const own of Map.groupBy(endpoints, ({ account_id: id }) => id).values()) {
      const standing = await this.of(ctx, own[0]!);
      if ('lost' in standing) {
        lost.push(...own.map(({ id }): [WebhookId, DisabledReason] => [id, standing.lost]));
        continue;
      }
      const bounded = own.filter(({ dataset_ids: only }) => isWithin(only, datasetIds));
      if (bounded.length > 0 && (await this.sees(ctx, standing.principal, datasetIds, false)))
        told.push(...bounded.map(({ id }) => id));
    }
    return { told, lost };
  }

  /**
   * Whether the endpoint may get events of these datasets. For a dataset in deletion its former access list decides; `whenGone` is the
   * answer for a dataset without a row.
   */
  async mayKnow(
    ctx: RequestContext,
    endpoint: Acting,
    principal: Principal,
    datasetIds: readonly DatasetId[],
    whenGone: boolean,
  ): Promise<boolean> {
    return isWithin(endpoint.dataset_ids, datasetIds) && (await this.sees(ctx, principal, datasetIds, whenGone));
  }

  private async sees(
    ctx: RequestContext,
    principal: Principal,
    datasetIds: readonly DatasetId[],
    whenGone: boolean,
  ): Promise<boolean> {
    const sight = await this.datasets.findSight({ ...ctx, principal }, datasetIds);
    return datasetIds.every((id) => sight.get(id) ?? whenGone);
  }
}

function isWithin(only: readonly DatasetId[] | null, datasetIds: readonly DatasetId[]): boolean {
  return only === null || datasetIds.every((id) => only.includes(id));
}
