import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { canonicalJson } from '#libs/common';
import { Settings } from '#libs/config';
import { IdempotencyService, replayedError } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import type { PresentIngestionPolicy } from '../schema/ingestion-policy.dto.js';
import { PolicyChanges, type PolicyChangeOptions } from '../policy/policy-changes.service.js';
import { parsePolicyFile } from './policy-file.js';
import { readPolicyForm, type FormRequest } from './policy-form.reader.js';

export interface ImportOutcome {
  readonly version: PresentIngestionPolicy;
  /** The answer of an earlier request with the same key. */
  readonly replayed: boolean;
}

/** Imports policies from files. */
@Injectable()
export class PolicyImport {
  constructor(
    private readonly access: DatasetAccess,
    private readonly changes: PolicyChanges,
    private readonly idempotency: IdempotencyService,
    private readonly settings: Settings,
  ) {}

  /**
   * Appends the policy of an uploaded JSON or YAML file.
   * @throws `datasets.not_found`, `ingestion_policy.unreadable_file`, and the errors of the form, the policy and the key
   */
  async run(
    ctx: RequestContext,
    datasetId: string,
    request: FormRequest,
    options: PolicyChangeOptions,
  ): Promise<ImportOutcome> {
    await this.access.requireVisible(ctx, datasetId);
    const file = await readPolicyForm(request, { seconds: this.settings.values.uploadIdleSeconds });
    // Before the transaction, which stores an error of the file under its key like any other answer.
    const [read] = await Promise.allSettled([parsePolicyFile(file.name, file.content)]);
    const append = async (inner: RequestContext): Promise<PresentIngestionPolicy> => {
      if (read.status === 'rejected') throw read.reason;
      return this.changes.replace(inner, datasetId, read.value, options);
    };
    const key = request.headers['idempotency-key'];
    if (key === undefined) return { version: await append(ctx), replayed: false };
    const sha256 = createHash('sha256').update(file.content).digest('hex');
    const compared = canonicalJson({ datasetId, name: file.name, sha256, comment: options.comment ?? null });
    const outcome = await this.idempotency.run(
      ctx,
      {
        key: String(key),
        route: 'POST /datasets/:id/ingestion-policy/import',
        bodyHash: createHash('sha256').update(compared).digest('hex'),
      },
      async (inner) => ({ status: 200, headers: {}, body: await append(inner) }),
    );
    const error = outcome.replayed ? replayedError(outcome) : undefined;
    if (error) throw error;
    return { version: outcome.body as PresentIngestionPolicy, replayed: outcome.replayed };
  }
}
