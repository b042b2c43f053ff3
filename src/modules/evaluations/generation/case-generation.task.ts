import type { JsonObject } from '#libs/common';
import { defineTask, readId } from '#libs/tasks';

export interface CaseGenerationPayload {
  readonly caseSetId: string;
}

/** Makes the cases of one set, with the rights that its maker has when it runs. */
export const CASE_GENERATION = defineTask<CaseGenerationPayload>({
  kind: 'case_generation',
  longestUnit: 'one passage',
  isSliced: true,
  needsSpace: true,
  permission: 'evaluations:run',
  mostTries: 10,
  parse: (payload: JsonObject) => ({ caseSetId: readId(payload, 'caseSetId') }),
});
