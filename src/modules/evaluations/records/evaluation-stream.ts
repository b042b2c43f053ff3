import { delay } from '#libs/common';
import { validationFailed, type SseWriter } from '#libs/http';
import type { EvaluationEventDto, ListEventsQuery } from './job.dto.js';

/** Pause between two looks for new events. */
const LOOK_MS = 500;

interface Events {
  readonly items: readonly EvaluationEventDto[];
  readonly isOver: boolean;
}

/** The number of the last event that the reader has. @throws `http.validation_failed` for a header that is no number */
export function eventsAfter({ after }: ListEventsQuery, lastEventId: string | undefined): number {
  if (after !== undefined || lastEventId === undefined || lastEventId === '') return after ?? 0;
  if (/^\d{1,9}$/.test(lastEventId)) return Number(lastEventId);
  const detail = 'Last-Event-ID must be the id of an event: a number';
  throw validationFailed([{ pointer: '/Last-Event-ID', code: 'is_int', detail }]);
}

/** Writes events as they come, until the last one is written or the reader disconnects; the visibility of the job is checked at each look. */
export async function followEvents(
  writer: SseWriter,
  after: number,
  look: (from: number) => Promise<Events>,
): Promise<void> {
  try {
    for (let from = after; !writer.signal.aborted;) {
      const { items, isOver } = await look(from);
      for (const { id, type, ...event } of items)
        await writer.write({ id: String(id), event: type, data: JSON.stringify(event) });
      from = items.at(-1)?.id ?? from;
      if (items.length > 0) continue;
      if (isOver) break;
      await delay(LOOK_MS, writer.signal);
    }
  } catch (error) {
    // Where the reader has left, no one is told.
    if (!writer.signal.aborted) writer.fail(error);
  } finally {
    writer.end();
  }
}
