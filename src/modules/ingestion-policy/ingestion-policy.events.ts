import { defineEvent } from '#libs/events';

export interface PolicyVersionCreated {
  readonly dataset_id: string;
  readonly policy_version: number;
  readonly fingerprint: string;
  /** The version that it is a copy of. */
  readonly source_version: number | null;
  readonly author_id: string | null;
}

/** A dataset has a new version of its ingestion policy, the first one included. */
export const POLICY_VERSION_CREATED = defineEvent<PolicyVersionCreated>({
  type: 'policy.version_created',
  version: 1,
  publisher: 'ingestion-policy',
  subject: 'dataset_id',
});
