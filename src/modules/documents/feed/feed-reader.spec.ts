import { describe, expect, it } from 'vitest';
import { newId, type DocumentId } from '#libs/common';
import { MOST_CHANGES, type FeedRead } from './document-feed.repository.js';
import { sseEventsOf } from './feed-events.js';
import { eventIdAt, LOST, placeBehind, RESUMED_MS } from './feed-position.js';
import { FeedReader } from './feed-reader.js';

function lookOf(position: string, ...ids: readonly DocumentId[]): FeedRead {
  return { position, changes: ids.map((id) => ({ id, row: null })), isReset: false };
}

describe('a reader of a feed', () => {
  it('that is slow gets each document once, in its last state, with the last position', async () => {
    const [a, b] = [newId<DocumentId>(), newId<DocumentId>()];
    const reader = new FeedReader();
    reader.add(lookOf('1', a, b));
    reader.add(lookOf('2', a));
    reader.add(lookOf('3'));
    expect(await reader.next()).toEqual({
      position: '3',
      changes: [
        { id: b, row: null },
        { id: a, row: null },
      ],
      isReset: false,
    });
  });

  it('that is too slow must read the list again, and no changes are kept for it', async () => {
    const reader = new FeedReader();
    for (let n = 0; n <= MOST_CHANGES; n += 1) reader.add(lookOf(String(n), newId<DocumentId>()));
    expect(await reader.next()).toEqual({ position: String(MOST_CHANGES), changes: [], isReset: true });
    const id = newId<DocumentId>();
    reader.add(lookOf('later', id));
    expect(await reader.next()).toMatchObject({ changes: [{ id }], isReset: false });
  });

  it('gets the error of the feed after the changes that came before it', async () => {
    const reader = new FeedReader();
    reader.fail(new Error('away'));
    await expect(reader.next()).rejects.toThrow('away');
    await expect(reader.next()).rejects.toThrow('away');
  });
});

describe('ids of events', () => {
  const events = ['one', 'two', 'three'].map((document_id) => ({ type: 'document.deleted', document_id }) as const);

  it('lead to the end of a batch only from its last event on, so that no event is lost', () => {
    const sent = sseEventsOf(events, '5', '9', 1_000);
    expect(sent.map(({ id }) => placeBehind(id, 'after', 1_000))).toEqual(['5', '5', '9']);
    expect(sent[0]).toMatchObject({ event: 'document.deleted', data: '{"document_id":"one"}' });
  });

  it('are valid for an hour, and invalid ones are refused', () => {
    const id = eventIdAt('77', 5);
    expect(placeBehind(id, 'after', 5 + RESUMED_MS)).toBe('77');
    expect(placeBehind(id, 'after', 6 + RESUMED_MS)).toBe(LOST);
    expect(placeBehind(undefined, 'after', 0)).toBeNull();
    for (const none of ['', '7', 'x-1', '1-', '-1-5', '99999999999999999999-5', `1-${'9'.repeat(15)}`])
      expect(() => placeBehind(none, 'Last-Event-ID', 0)).toThrow(/must be the unchanged id of an event/);
  });
});
