import { UnitOfWork } from '#libs/database';
import { SealBroken, type SecretsBox } from '#libs/secrets';
import type { RequestContext } from '#libs/tenancy';
import type { WebhookId } from './webhook-endpoint.entity.js';
import { WebhookEndpointsRepository, type EndpointSecrets } from './webhook-endpoints.repository.js';
import { sealedFor } from './webhook-secret.js';
import { formerSecretUntil } from './webhook-views.js';

/** Number of endpoints per transaction, whose rows are locked for some milliseconds. */
const BATCH = 100;

/**
 * Numbers of secrets that were encrypted again and of those already encrypted with the present key, and the endpoints whose secrets no key
 * decrypts.
 */
export interface Resealed {
  resealed: number;
  present: number;
  readonly unreadable: WebhookId[];
}

/** Encrypts the secrets of webhooks with the present key. Safe beside a running service; can be repeated. */
export class WebhookSecretsResealing {
  private readonly endpoints: WebhookEndpointsRepository;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly box: SecretsBox,
  ) {
    this.endpoints = new WebhookEndpointsRepository(unitOfWork);
  }

  /** Handles all secrets of the context's tenant, and removes expired former secrets. @throws TypeError without a key to seal with */
  async run(ctx: RequestContext): Promise<Resealed> {
    const found: Resealed = { resealed: 0, present: 0, unreadable: [] };
    let after: WebhookId | null = null;
    do after = await this.runBatch(ctx, after, found);
    while (after !== null);
    return found;
  }

  /** The last id of a full batch; null: there are no more. */
  private runBatch(ctx: RequestContext, after: WebhookId | null, found: Resealed): Promise<WebhookId | null> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const rows = await this.endpoints.lockSecrets(inner, after, BATCH);
      const now = new Date();
      for (const row of rows) {
        const used = formerSecretUntil(row, now) === null ? null : row.former_secret;
        const secret = this.reseal(row, row.secret, found);
        const former = used === null ? null : this.reseal(row, used, found);
        if (secret === row.secret && former === row.former_secret) continue;
        await this.endpoints.putSecrets(inner, row.id, secret, former);
      }
      return rows.length < BATCH ? null : rows.at(-1)!.id;
    });
  }

  /** A secret that cannot be decrypted is not changed, because its key may still be found. */
  private reseal({ id }: EndpointSecrets, sealed: string, found: Resealed): string {
    try {
      const anew = this.box.reseal(sealed, sealedFor(id));
      if (anew === sealed) found.present += 1;
      else found.resealed += 1;
      return anew;
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      found.unreadable.push(id);
      return sealed;
    }
  }
}
