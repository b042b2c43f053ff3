import { describe, expect, it } from 'vitest';
import { modeGrants } from './run-as-user.js';

const user = { uid: 101, gid: 104 };

describe('modeGrants', () => {
  it('takes the class that fits first and never falls through to a wider one', () => {
    expect(modeGrants({ uid: 101, gid: 104, mode: 0o077 }, user, 1)).toBe(false);
    expect(modeGrants({ uid: 0, gid: 104, mode: 0o707 }, user, 1)).toBe(false);
    expect(modeGrants({ uid: 0, gid: 0, mode: 0o770 }, user, 1)).toBe(false);
  });

  it('asks for every wanted bit', () => {
    expect(modeGrants({ uid: 0, gid: 0, mode: 0o751 }, user, 1)).toBe(true);
    expect(modeGrants({ uid: 0, gid: 0, mode: 0o751 }, user, 5)).toBe(false);
    expect(modeGrants({ uid: 101, gid: 0, mode: 0o700 }, user, 7)).toBe(true);
    expect(modeGrants({ uid: 0, gid: 104, mode: 0o750 }, user, 5)).toBe(true);
  });
});
