import { describe, expect, it } from 'vitest';
import { parsePostmasterPid } from './postmaster-pid.js';

describe('parsePostmasterPid', () => {
  it('reads process, port and status', () => {
    const text = '4711\n/data/cluster\n1760000000\n5433\n\n127.0.0.1\n  2621 5\nready   \n';
    expect(parsePostmasterPid(text)).toEqual({ pid: 4711, port: 5433, status: 'ready' });
  });

  it('takes a file that the server has not finished', () => {
    expect(parsePostmasterPid('4711\n/data/cluster\n')).toEqual({ pid: 4711, port: 0, status: '' });
  });

  it.each(['', '\n', '-5\n', 'abc\n', '0\n', '1.5\n'])('gives null for %j', (text) => {
    expect(parsePostmasterPid(text)).toBeNull();
  });
});
