import type { FieldProblem } from '#libs/common';

/** A first result as it is kept: what the caller saw, without anything secret. */
export interface KeptResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Documents of which it says more than their ids: when one is purged, so is this. Absent: none. */
  readonly documents?: readonly string[];
  readonly problem?: {
    readonly code: string;
    readonly title: string;
    readonly detail: string;
    readonly errors?: readonly FieldProblem[];
    readonly errorCount?: number;
  };
}
