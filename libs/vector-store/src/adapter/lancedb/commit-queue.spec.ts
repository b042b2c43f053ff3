import { describe, expect, it } from 'vitest';
import { CommitQueue, type CommitOperation } from './commit-queue.js';

type Operation = CommitOperation & { readonly name: string };

function operation(kind: string, name: string, size = 1): Operation {
  return { kind, name, size };
}

/** A queue that records its groups; the operation named `bad` fails its group. */
function recording(): { queue: CommitQueue<Operation>; groups: string[][] } {
  const groups: string[][] = [];
  const queue = new CommitQueue<Operation>(
    async (group) => {
      groups.push(group.map((one) => one.name));
      await Promise.resolve();
      if (group.some((one) => one.name === 'bad')) throw new Error('refused');
    },
    { gatherMs: 5, full: 4 },
  );
  return { queue, groups };
}

describe('CommitQueue', () => {
  it('commits neighbours of one kind together and keeps the order of the kinds', async () => {
    const { queue, groups } = recording();
    await Promise.all(
      [operation('write', 'a'), operation('write', 'b'), operation('remove', 'c'), operation('write', 'd')].map((one) =>
        queue.add(one),
      ),
    );
    expect(groups).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  it('starts a new group when one is full, and takes an operation that is larger than a group alone', async () => {
    const { queue, groups } = recording();
    await Promise.all(
      [operation('write', 'a', 3), operation('write', 'b', 2), operation('write', 'c', 9)].map((one) => queue.add(one)),
    );
    expect(groups).toEqual([['a'], ['b'], ['c']]);
  });

  it('rejects the operations of a failed group only, and goes on', async () => {
    const { queue } = recording();
    const outcomes = await Promise.allSettled(
      [operation('write', 'bad'), operation('write', 'beside'), operation('remove', 'after')].map((one) =>
        queue.add(one),
      ),
    );
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    await queue.add(operation('write', 'later'));
  });

  it('is idle when nothing waits or runs', async () => {
    const { queue, groups } = recording();
    const added = queue.add(operation('write', 'a'));
    expect(queue.busy).toBe(true);
    await queue.idle();
    expect(groups).toEqual([['a']]);
    expect(queue.busy).toBe(false);
    await added;
  });
});
