/**
 * Retrieval metrics over one ranking. `ranked` are identifiers, best first, each once; `relevant` holds the grade of each
 * relevant one (greater than 0; what is missing is not relevant). All lie in 0..1 and are 0 when nothing is relevant.
 */

/** Grades by identifier. */
export type Relevance = ReadonlyMap<string, number>;

function gradeOf(relevant: Relevance, id: string): number {
  return Math.max(0, relevant.get(id) ?? 0);
}

function relevantCount(relevant: Relevance): number {
  let count = 0;
  for (const grade of relevant.values()) if (grade > 0) count += 1;
  return count;
}

/** Normalised discounted cumulative gain with linear gains and log2(rank + 1), as trec_eval's `ndcg_cut`. */
export function ndcgAt(ranked: readonly string[], relevant: Relevance, k: number): number {
  const gain = (grades: readonly number[]): number =>
    grades.slice(0, k).reduce((sum, grade, index) => sum + grade / Math.log2(index + 2), 0);
  const ideal = gain([...relevant.values()].filter((grade) => grade > 0).sort((a, b) => b - a));
  return ideal === 0 ? 0 : gain(ranked.map((id) => gradeOf(relevant, id))) / ideal;
}

/** Average precision of the first `k` over all relevant ones (trec_eval's `map_cut`); its mean over queries is MAP. */
export function averagePrecisionAt(ranked: readonly string[], relevant: Relevance, k: number): number {
  const total = relevantCount(relevant);
  let found = 0;
  let sum = 0;
  ranked.slice(0, k).forEach((id, index) => {
    if (gradeOf(relevant, id) === 0) return;
    found += 1;
    sum += found / (index + 1);
  });
  return total === 0 ? 0 : sum / total;
}

/** Share of the relevant ones that are among the first `k`. */
export function recallAt(ranked: readonly string[], relevant: Relevance, k: number): number {
  const total = relevantCount(relevant);
  if (total === 0) return 0;
  return ranked.slice(0, k).filter((id) => gradeOf(relevant, id) > 0).length / total;
}

/** One over the rank of the first relevant one among the first `k`, else 0; its mean over queries is MRR. */
export function reciprocalRankAt(ranked: readonly string[], relevant: Relevance, k: number): number {
  const first = ranked.slice(0, k).findIndex((id) => gradeOf(relevant, id) > 0);
  return first === -1 ? 0 : 1 / (first + 1);
}

/** Share of the first `k` places that hold a relevant one; places that are not filled count as not relevant (trec_eval's `P`). */
export function precisionAt(ranked: readonly string[], relevant: Relevance, k: number): number {
  return ranked.slice(0, k).filter((id) => gradeOf(relevant, id) > 0).length / k;
}

/** 1 where a relevant one is among the first `k`, else 0 (trec_eval's `success`). */
export function hitRateAt(ranked: readonly string[], relevant: Relevance, k: number): number {
  return ranked.slice(0, k).some((id) => gradeOf(relevant, id) > 0) ? 1 : 0;
}
