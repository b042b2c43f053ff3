/** What a stage says of the chunk, before it is known whether the chunk reached the stage. */
export interface StageFacts {
  readonly isUsed: boolean;
  /** Whether it let the chunk pass. */
  readonly passes: boolean;
  readonly rank?: number | null;
  readonly score?: number | null;
  readonly limit?: number | null;
  readonly listLength?: number | null;
  /** What it says when it let the chunk pass, and when it did not. */
  readonly passed: string;
  readonly removed: string;
}

export const UNUSED: StageFacts = { isUsed: false, passes: false, passed: '', removed: '' };
