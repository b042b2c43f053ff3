import type { JsonObject } from '#libs/common';
import type { SearchOptionsDto } from '../../retrieval/index.js';
import type { MetricName } from '../scoring/metric-catalogue.js';

/** How a variant searches: the options of a search. */
export type VariantSearch = SearchOptionsDto & { readonly top_k?: number };

/** One way of searching that is compared with others. */
export interface Variant {
  readonly name: string;
  readonly retrieval: VariantSearch;
}

/** What a metric must reach. */
export interface Gate {
  /** Key of the metric, `ndcg@10`. */
  readonly metric: string;
  readonly min: number | null;
  readonly maxRegression: number | null;
}

/** What a job does, with every default filled in. */
export interface JobSpec {
  readonly variants: readonly Variant[];
  readonly metrics: readonly MetricName[];
  readonly k: readonly number[];
  readonly gates: readonly Gate[];
}

/** A result of a search as it is kept. */
export interface RankedResult {
  readonly document_id: string;
  readonly chunk_id: string;
  readonly score: number;
  readonly relevant: boolean;
}

/** A change of the search that brings what was missed, as `POST /retrieval/explain` found it. */
export interface MissFix {
  readonly action: string;
  readonly change: JsonObject;
}

/** Why nothing that is relevant was found. */
export interface MissRecord {
  readonly code: string;
  readonly verdict: string;
  /** Which of the relevant items was explained, from 0. */
  readonly item: number;
  readonly fixes: readonly MissFix[];
}
