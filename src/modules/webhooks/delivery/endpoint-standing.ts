import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { PresentPrincipals, type Principal, type RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import type { DisabledReason, WebhookEndpointEntity } from '../webhook-endpoint.entity.js';

type Acting = Pick<WebhookEndpointEntity, 'account_id' | 'dataset_ids'>;

/** Whom an endpoint acts as at this moment, or why it may not act any more. */
export type Standing = { readonly principal: Principal } | { readonly lost: DisabledReason };

/** Asks what the account of an endpoint may do and see at this moment. */
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
   * Whether the endpoint may be told of these datasets. A dataset in deletion is judged by its access list as it was; `whenGone` is
   * the answer for one that is gone altogether.
   */
  async mayKnow(
    ctx: RequestContext,
    endpoint: Acting,
    principal: Principal,
    datasetIds: readonly DatasetId[],
    whenGone: boolean,
  ): Promise<boolean> {
    const { dataset_ids: only } = endpoint;
    if (only !== null && !datasetIds.every((id) => only.includes(id))) return false;
    const sight = await this.datasets.findSight({ ...ctx, principal }, datasetIds);
    return datasetIds.every((id) => sight.get(id) ?? whenGone);
  }
}
