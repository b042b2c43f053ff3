/** Kinds of differences that were repaired; nothing was removed for it. */
export const MENDED = ['lost_tasks', 'missing_vectors'] as const;
/** Kinds of differences that no record explains; they are only reported. */
export const SEEN = ['foreign_vectors', 'foreign_files', 'missing_files', 'unmended_vectors'] as const;

export type MendedKind = (typeof MENDED)[number];
export type SeenKind = (typeof SEEN)[number];

const MOST_EXAMPLES = 20;

/** Result of a reconciliation. Examples contain only ids. */
export interface ReconciliationReport {
  readonly tenants: number;
  readonly datasets: number;
  readonly documents: number;
  readonly files: number;
  /** Number of recorded removals that are still to be carried out. */
  readonly awaiting_removal: number;
  readonly mended: Readonly<Record<MendedKind, number>>;
  readonly seen: Readonly<Record<SeenKind, number>>;
  readonly examples: readonly { readonly kind: MendedKind | SeenKind; readonly subject: string }[];
}

/** Collects the report during a reconciliation. */
export class ReportWriter {
  tenants = 0;
  datasets = 0;
  documents = 0;
  files = 0;
  awaitingRemoval = 0;
  private readonly mended: Record<MendedKind, number> = { lost_tasks: 0, missing_vectors: 0 };
  private readonly seen: Record<SeenKind, number> = {
    foreign_vectors: 0,
    foreign_files: 0,
    missing_files: 0,
    unmended_vectors: 0,
  };
  private readonly examples: { kind: MendedKind | SeenKind; subject: string }[] = [];

  noteMended(kind: MendedKind, subject: string, count = 1): void {
    this.mended[kind] += count;
    this.giveExample(kind, subject);
  }

  noteSeen(kind: SeenKind, subject: string, count = 1): void {
    this.seen[kind] += count;
    this.giveExample(kind, subject);
  }

  report(): ReconciliationReport {
    const { tenants, datasets, documents, files } = this;
    const counts = { mended: { ...this.mended }, seen: { ...this.seen } };
    return {
      tenants,
      datasets,
      documents,
      files,
      awaiting_removal: this.awaitingRemoval,
      ...counts,
      examples: [...this.examples],
    };
  }

  private giveExample(kind: MendedKind | SeenKind, subject: string): void {
    if (this.examples.length < MOST_EXAMPLES) this.examples.push({ kind, subject });
  }
}
