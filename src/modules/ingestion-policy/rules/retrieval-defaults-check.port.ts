import type { FieldProblem } from '#libs/common';
import type { RetrievalDefaults } from '../schema/retrieval-defaults.js';

/** Check of search options in policies. Implemented by retrieval; injection token. */
export abstract class RetrievalDefaultsCheck {
  /** Options that this installation cannot carry out; they have passed the schema. Pointers begin at the options. */
  abstract problemsOf(defaults: RetrievalDefaults): readonly FieldProblem[];
}
