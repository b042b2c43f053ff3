import type { TransactionContext } from '#libs/database';
import type { EntityType } from '#libs/detectors';
import type { GovernanceRules } from '../../ingestion-policy/index.js';
import type { DocumentRow } from '../record/document.entity.js';

/** A document whose name, metadata or tags were just changed to something that its policy quarantines. */
export interface QuarantinedFacts {
  /** The document after the change. */
  readonly row: DocumentRow;
  /** Kinds of content that were found, in order. */
  readonly types: readonly EntityType[];
  readonly rules: GovernanceRules;
}

/** Port that governance implements, because documents must not depend on governance. */
export abstract class FactsQuarantine {
  /**
   * Quarantines documents because of their names, metadata or tags and records the findings, in the transaction of the change. Documents
   * that are neither searchable nor being ingested keep their status.
   */
  abstract quarantine(ctx: TransactionContext, documents: readonly QuarantinedFacts[]): Promise<void>;
}
