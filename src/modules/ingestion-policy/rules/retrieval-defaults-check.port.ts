import type { FieldProblem } from '#libs/common';
import type { RetrievalDefaults } from '../schema/retrieval-defaults.js';

/** What ingestion policies must ask of searches. Contributed by the module that owns them; injection token. */
export abstract class RetrievalDefaultsCheck {
  /** What this installation cannot do of the options, which fit the schema already; pointers begin at the options. */
  abstract problemsOf(defaults: RetrievalDefaults): readonly FieldProblem[];
}
