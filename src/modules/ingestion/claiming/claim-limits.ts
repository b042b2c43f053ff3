/** Limits of what a worker may process at the same time. A run is one document, or several small ones of a dataset. */
export interface ClaimLimits {
  /** Maximum number of runs of one tenant while no other tenant is active. */
  readonly tenantRuns: number;
  /** Maximum number of runs of one tenant while others are active: at least one place is left if there are several. */
  readonly sharedRuns: number;
  /** Maximum number of large documents. */
  readonly large: number;
  /** Maximum number of large documents of one tenant. */
  readonly tenantLarge: number;
  /** Whether a large document is taken before small ones while none is being ingested, so that small ones never starve it. */
  readonly largeFirst: boolean;
  /** Seconds after which a large document is taken before small ones that came later; null: never. */
  readonly agedSeconds: number | null;
}

const AGED_SECONDS = 30;

/**
 * The limits of a worker with `runs` runs at once. Of three or more places, no tenant may use the last one, so that the first document of
 * another tenant finds it free; and no tenant may use its own last place for a large document, so that small ones find it free. Of two
 * places, one is reserved while another tenant has waiting or running documents, or had some begun in the last five minutes. With a single
 * place, small documents come first, except before a large one that has waited for long.
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
