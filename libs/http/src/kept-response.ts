import type { FieldProblem } from '#libs/common';

/** A stored first result: the response to the caller without secrets. */
export interface KeptResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Documents of which the result contains more than their ids; it is purged with any of them. Absent: none. */
  readonly documents?: readonly string[];
  readonly problem?: {
    readonly code: string;
    readonly title: string;
    readonly detail: string;
    readonly errors?: readonly FieldProblem[];
    readonly errorCount?: number;
  };
}
