import type { FastifyReply } from 'fastify';
import { delay } from '#libs/common';
import { prefersJson, SseWriter, validationFailed, type LongAnswer } from '#libs/http';
import type { PrecheckEventList } from './precheck.dto.js';

/** Pause between two reads of events. */
const POLL_MS = 250;

export interface WantedEvents {
  readonly accept: string | undefined;
  readonly lastEventId: string | undefined;
  readonly after: number | undefined;
}

/**
 * Sends events as a list, or as a stream until the scan has ended or the reader leaves. If the first read or `open` throws, nothing has
 * been sent.
 */
export async function answerEvents(
  reply: FastifyReply,
  read: (after: number) => Promise<PrecheckEventList>,
  wanted: WantedEvents,
  open: () => Promise<LongAnswer>,
): Promise<void> {
  let after = firstOf(wanted);
  let list = await read(after);
  if (prefersJson(wanted.accept)) {
    void reply.send(list);
    return;
  }
  const writer = new SseWriter(reply, await open(), { isResumable: true });
  try {
    for (;;) {
      for (const { id, event, data } of list.events) {
        await writer.write({ id: String(id), event, data: JSON.stringify(data) });
        after = id;
      }
      const isEnded = list.status !== 'pending' && list.status !== 'running';
      if (writer.signal.aborted || (isEnded && list.events.length === 0)) return;
      if (!isEnded) await delay(POLL_MS, writer.signal);
      list = await read(after);
    }
  } catch (error) {
    if (!writer.signal.aborted) writer.fail(error);
  } finally {
    writer.end();
  }
}

function firstOf({ lastEventId, after }: WantedEvents): number {
  if (lastEventId === undefined || lastEventId === '') return after ?? 0;
  if (/^\d{1,7}$/.test(lastEventId)) return Number(lastEventId);
  const detail = 'Last-Event-ID must be the id of an event of this scan, a whole number';
  throw validationFailed([{ pointer: '/Last-Event-ID', code: 'is_int', detail }]);
}
