/** What a worker may take at the same time. A run is one document, or several small ones of a dataset. */
export interface ClaimLimits {
  /** Runs of one tenant while no other one is active. */
  readonly tenantRuns: number;
  /** Runs of one tenant while others are active: one place is left at least, where there are several. */
  readonly sharedRuns: number;
  /** Large documents. */
  readonly large: number;
  /** Large documents of one tenant. */
  readonly tenantLarge: number;
  /** Whether a large document goes before small ones while none is being worked on, so that small ones never starve it. */
  readonly largeFirst: boolean;
  /** Seconds after which a large document goes before the small ones that came later; null: never. */
  readonly agedSeconds: number | null;
}

const AGED_SECONDS = 30;

/**
 * The limits of a worker with `runs` runs at once. One of three or more is kept from every single tenant, so that another
 * tenant's first document finds it free, and one of a tenant's is kept from large documents, so that small ones find it free.
 * With two, one is kept while another tenant has documents that wait or run, or had some begun in the last five minutes.
 * A worker with a single run takes small ones first, but a large one that has waited for long before them.
 */
export function claimLimits(runs: number, tenantSetting: number): ClaimLimits {
  const own = tenantSetting > 0 ? tenantSetting : runs >= 3 ? runs - 1 : runs;
  const tenantRuns = Math.min(own, runs);
  return {
    tenantRuns,
    sharedRuns: Math.min(tenantRuns, Math.max(1, runs - 1)),
    large: Math.max(1, runs - 1),
    tenantLarge: Math.max(1, tenantRuns - 1),
    largeFirst: runs > 1,
    agedSeconds: runs > 1 ? null : AGED_SECONDS,
  };
}
