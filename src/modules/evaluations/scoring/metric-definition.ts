/** Definition of a metric for `GET /evaluations/metrics`. */
export interface MetricDefinition {
  readonly definition: string;
  /** For one case; the metric of a variant is the mean over the cases that have a value. */
  readonly formula: string;
  readonly source: string;
}
