export interface FieldProblem {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

interface ProblemBody {
  readonly detail?: string;
  readonly code?: string;
  readonly request_id?: string;
  readonly errors?: readonly FieldProblem[];
}

/** What the service refused, as its problem body says it; status 0 where it did not answer. */
export class Problem extends Error {
  readonly code: string;
  readonly requestId: string | undefined;
  readonly fields: readonly FieldProblem[];

  constructor(
    readonly status: number,
    body: ProblemBody | undefined,
  ) {
    super(body?.detail ?? '');
    this.code = body?.code ?? '';
    this.requestId = body?.request_id;
    this.fields = body?.errors ?? [];
  }

  /** Another attempt may go well without any change. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** What an error says of a field, such as `/name`. */
export function fieldDetail(error: unknown, pointer: string): string | undefined {
  return error instanceof Problem ? error.fields.find((field) => field.pointer === pointer)?.detail : undefined;
}

/** What an error with one of these codes says. */
export function detailOf(error: unknown, code: string): string | undefined {
  return error instanceof Problem && error.code === code ? error.message : undefined;
}

/** The problem that an answer carries. */
export async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text();
  try {
    return new Problem(response.status, JSON.parse(text) as ProblemBody);
  } catch {
    // A proxy in between answers as it likes.
    return new Problem(response.status, { detail: text.slice(0, 200) });
  }
}
