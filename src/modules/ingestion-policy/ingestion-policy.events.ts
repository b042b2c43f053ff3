import { defineEvent } from '#libs/events';

export interface PolicyVersionCreated {
  readonly dataset_id: string;
  readonly policy_version: number;
  readonly fingerprint: string;
  /** The version that this one copies. */
  readonly source_version: number | null;
  readonly author_id: string | null;
}

/** A dataset got a new version of its ingestion policy; also published for the first version. */
export const POLICY_VERSION_CREATED = defineEvent<PolicyVersionCreated>({
  type: 'policy.version_created',
  version: 1,
  publisher: 'ingestion-policy',
  subject: 'dataset_id',
});
