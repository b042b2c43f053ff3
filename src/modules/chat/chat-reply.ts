import type { FastifyReply, FastifyRequest } from 'fastify';
import { SseWriter, toCatalogueError, toProblem, type SseEvent, type SseWriterOptions } from '#libs/http';
import type { StreamReader } from './chat-streams.js';

/** The reader at the other end of a reply: `signal` is aborted when it leaves before it has the whole answer. */
export function readerOf(request: FastifyRequest, reply: FastifyReply): StreamReader {
  const controller = new AbortController();
  const leave = (): void => {
    if (!reply.raw.writableFinished) controller.abort(new Error('The reader has left.'));
  };
  if (reply.raw.destroyed) leave();
  reply.raw.once('close', leave);
  const path = request.url.split('?', 1)[0] ?? request.url;
  return {
    signal: controller.signal,
    describe: (thrown) => {
      const error = toCatalogueError(thrown, request);
      return { error, problem: toProblem(error, path, String(request.id)) };
    },
  };
}

/** Sends events until they end or the reader leaves. */
export async function sendEvents(
  reply: FastifyReply,
  events: AsyncIterable<SseEvent>,
  options: SseWriterOptions = {},
): Promise<void> {
  const writer = new SseWriter(reply, options);
  try {
    for await (const event of events) await writer.write(event);
  } finally {
    writer.end();
  }
}
