const STAGES = ['parsing', 'chunking', 'embedding', 'vector_write'] as const;

/** What happened to a document, of which spans are made. */
interface Entry {
  readonly event: string;
  readonly stage: string | null;
  readonly timestamp: string;
}

/** A stretch of time in milliseconds since 1970. */
export interface Span {
  readonly stage: 'waiting' | (typeof STAGES)[number];
  readonly from: number;
  readonly to: number;
}

/** What has a document read: its upload, another attempt, and its release from quarantine. Another revision is only queued. */
const BEGINS: readonly string[] = ['created', 'queued', 'retried', 'reingest_requested', 'released'];

/** The last run: waiting, then the stages, each from its start to its end. */
export function spansOf(entries: readonly Entry[]): readonly Span[] {
  const run = entries.slice(
    Math.max(
      0,
      entries.findLastIndex(({ event }) => BEGINS.includes(event)),
    ),
  );
  const at = (entry: Entry | undefined): number => (entry === undefined ? Number.NaN : Date.parse(entry.timestamp));
  const spans: Span[] = [];
  const started = run.find(({ event }) => event === 'stage_started');
  if (started !== undefined) spans.push({ stage: 'waiting', from: at(run[0]), to: at(started) });
  for (const stage of STAGES) {
    const from = at(run.findLast((entry) => entry.event === 'stage_started' && entry.stage === stage));
    const to = at(run.findLast((entry) => entry.event === 'stage_completed' && entry.stage === stage));
    if (to >= from) spans.push({ stage, from, to });
  }
  return spans;
}
