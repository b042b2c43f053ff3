/** Streamed chats over plain sockets of Node, with the times at which their events arrive. */
import { request } from 'node:http';

/** More than the last chunk of an answer, which has its citations. */
const KEPT_BYTES = 64 * 1024;

const NOTHING_SEEN = {
  firstMs: undefined,
  firstTextMs: undefined,
  silenceMs: 0,
  silentAt: 0,
  events: 0,
  retrieval: undefined,
  error: undefined,
};

/**
 * Opens a stream. Gives `began` (its first event has come), `ended` and `leave`. Both promises resolve with what is known so far:
 * `firstMs` from sending to the first event, `firstTextMs` to the first text, `silenceMs` the longest time in which nothing came
 * (from sending on) and `silentAt` the event that it came before, `retrieval` of
 * the last chunk, and `error` for a status other than 200, an error event, or an answer that ends without `[DONE]`; they never reject.
 */
export function openStream({ url, headers }, body, agent) {
  const seen = { ...NOTHING_SEEN };
  const began = Promise.withResolvers();
  const ended = Promise.withResolvers();
  const sent = performance.now();
  let last = sent;
  const finish = (error) => {
    seen.error ??= error;
    began.resolve(seen);
    ended.resolve(seen);
  };
  const call = request(`${url}/chat/completions`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    agent,
  });
  call.once('error', (error) => finish(error.message));
  call.once('response', (response) => {
    if (response.statusCode !== 200) return void refuse(response, finish);
    const reader = new EventReader();
    response.on('data', (piece) => {
      const now = performance.now();
      if (now - last > seen.silenceMs) [seen.silenceMs, seen.silentAt] = [now - last, seen.events];
      last = now;
      seen.firstMs ??= now - sent;
      if (seen.firstTextMs === undefined && /"content":"[^"]/.test(piece.toString('latin1')))
        seen.firstTextMs = now - sent;
      seen.events += reader.push(piece);
      began.resolve(seen);
    });
    response.once('close', () => {
      seen.retrieval = reader.retrieval();
      finish(reader.problem());
    });
  });
  call.end(JSON.stringify({ stream: true, ...body }));
  return { began: began.promise, ended: ended.promise, leave: () => call.destroy() };
}

async function refuse(response, finish) {
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  finish(`status ${response.statusCode}: ${text.slice(0, 300)}`);
}

/** Counts events and keeps only what comes last: the events of a thousand streams are too many to read. */
class EventReader {
  kept = [];
  length = 0;

  push(piece) {
    const text = piece.toString('latin1');
    this.kept.push(text);
    this.length += text.length;
    while (this.length - this.kept[0].length > KEPT_BYTES) this.length -= this.kept.shift().length;
    return text.split('\n\n').length - 1;
  }

  problem() {
    const tail = this.kept.join('');
    const at = tail.indexOf('event: error\n');
    if (at !== -1) return tail.slice(at, at + 300);
    return tail.includes('data: [DONE]') ? undefined : 'the stream was cut off';
  }

  retrieval() {
    const data = this.kept
      .join('')
      .split('\n')
      .findLast((line) => line.includes('"retrieval":'));
    if (data === undefined) return undefined;
    return JSON.parse(Buffer.from(data.slice('data: '.length), 'latin1').toString()).retrieval;
  }
}
