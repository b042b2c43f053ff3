export interface TimelineEvent {
  readonly event: string;
  readonly stage: string | null;
  readonly timestamp: string;
  readonly details: Readonly<Record<string, unknown>>;
}

type State = 'none' | 'pending' | 'processing' | 'completed' | 'failed' | 'quarantined' | 'cancelled' | 'deleted';

const IN_WORK: readonly State[] = ['pending', 'processing'];
/** A new revision is told by its place in the queue alone. */
const REVISABLE: readonly State[] = [...IN_WORK, 'completed', 'failed', 'cancelled'];
/** What an attempt tells does not change the state; a worker may give a document back in between. */
const TOLD_IN_WORK = ['stage_started', 'stage_completed', 'checkpoint_resumed', 'provider_backoff', 'warning'];

/**
 * Replays a timeline and gives where it ends. Each event must be possible in the state that the ones before it led to, and none
 * may be earlier than the one before it. @throws with the history, for the first that is not
 */
export function replayTimeline(events: readonly TimelineEvent[]): State {
  let state: State = 'none';
  let completions = 0;
  for (const [index, event] of events.entries()) {
    const next = follow(state, event, completions > 0);
    const before = events[index - 1];
    const isLate = before !== undefined && before.timestamp > event.timestamp;
    if (next === undefined || isLate)
      throw new Error(`${isLate ? 'out of order' : `illegal in ${state}`}: ${tell(events, index)}`);
    if (event.event === 'completed') completions += 1;
    state = next;
  }
  return state;
}

function follow(state: State, { event, stage, details }: TimelineEvent, wasCompleted: boolean): State | undefined {
  if (TOLD_IN_WORK.includes(event)) {
    const begins = event === 'stage_started' && stage === 'parsing';
    return IN_WORK.includes(state) && (state === 'processing' || begins || event === 'checkpoint_resumed')
      ? 'processing'
      : undefined;
  }
  switch (event) {
    case 'created':
      return state === 'none' ? 'pending' : undefined;
    case 'queued':
      return state === 'pending' || ('revision' in details && REVISABLE.includes(state)) ? 'pending' : undefined;
    case 'completed':
    case 'failed':
      return state === 'processing' ? event : undefined;
    case 'cancelled':
      if (!IN_WORK.includes(state)) return undefined;
      return wasCompleted ? 'completed' : 'cancelled';
    case 'retried':
      return state === 'failed' ? 'pending' : undefined;
    case 'reingest_requested':
      return state === 'completed' ? 'pending' : undefined;
    case 'quarantined':
      return state === 'cancelled' || state === 'quarantined' || state === 'none' ? undefined : 'quarantined';
    case 'released':
      return state === 'quarantined' ? 'pending' : undefined;
    default:
      return undefined;
  }
}

function tell(events: readonly TimelineEvent[], until: number): string {
  return events
    .slice(0, until + 1)
    .map(({ event, stage, timestamp }) => `${timestamp.slice(14)} ${event}${stage === null ? '' : `/${stage}`}`)
    .join(', ');
}
