import type { TransactionContext } from '#libs/database';
import type { EntityType } from '#libs/detectors';
import type { GovernanceRules } from '../../ingestion-policy/index.js';
import type { DocumentRow } from '../record/document.entity.js';

/** A document of which someone has just said something that its policy quarantines. */
export interface QuarantinedFacts {
  /** After the change. */
  readonly row: DocumentRow;
  /** What was found, in order. */
  readonly types: readonly EntityType[];
  readonly rules: GovernanceRules;
}

/** What governance does for documents, which must not know it. */
export abstract class FactsQuarantine {
  /**
   * Quarantines documents for their names, metadata or tags and records what is found in them, in the transaction of the change. Those
   * that no search shows and no work goes on with keep their state.
   */
  abstract quarantine(ctx: TransactionContext, documents: readonly QuarantinedFacts[]): Promise<void>;
}
