import type { JsonObject } from '#libs/common';
import { defineTask, readId } from '#libs/tasks';

export interface CaseGenerationPayload {
  readonly caseSetId: string;
}

/** Generates the cases of one set, with the current permissions of its requester. */
export const CASE_GENERATION = defineTask<CaseGenerationPayload>({
  kind: 'case_generation',
  longestUnit: 'one passage',
  isSliced: true,
  needsSpace: true,
  permission: 'evaluations:run',
  mostTries: 10,
  parse: (payload: JsonObject) => ({ caseSetId: readId(payload, 'caseSetId') }),
});
