export const GENERATION_METHODS = ['rules', 'llm'] as const;
export type GenerationMethod = (typeof GENERATION_METHODS)[number];

export const GENERATION_STATUSES = ['pending', 'running', 'completed', 'failed'] as const;
export type GenerationStatus = (typeof GENERATION_STATUSES)[number];

/** Method and progress of the generation of a set's cases. */
export interface GenerationState {
  readonly status: GenerationStatus;
  readonly method: GenerationMethod;
  readonly dataset_id: string;
  readonly unanswerable_from: readonly string[];
  /** How many cases are wanted. */
  readonly count: number;
  readonly seed: number;
  /** Model that writes the questions; null for rules. */
  readonly model: string | null;
  readonly error_code: string | null;
  readonly error: string | null;
}

/** Of the cases that are wanted, how many are to have no answer. */
export function unanswerableOf({ count, unanswerable_from: from }: GenerationState): number {
  return from.length === 0 ? 0 : Math.max(1, Math.floor(count / 5));
}

export function isGenerating(state: GenerationState | null): boolean {
  return state?.status === 'pending' || state?.status === 'running';
}
