import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { Settings } from '#libs/config';
import { generatePassword } from './generated-password.js';
import { PasswordHasher } from './password-hasher.service.js';
import { PasswordStrength } from './password-strength.service.js';
import { Passwords, personalWords } from './passwords.service.js';

const strength = new PasswordStrength();
const settings = { values: { authPasswordLogin: 'on' } } as Settings;
const passwords = new Passwords(strength, new PasswordHasher({ logN: 4, r: 8, p: 1 }), settings);
afterAll(() => strength.onModuleDestroy());

describe('a new password', () => {
  it.each(['a password of theirs', 'correct horse battery staple', 'xK7#mQ2pL', '日本語のパスワードです'])(
    'is accepted: %s',
    async (password) => {
      expect(await passwords.findFault(password, [])).toBeNull();
    },
  );

  it.each([
    ['password1', 'is too easy to guess: This is a commonly used password. Add more words that are less common'],
    ['aaaaaaaaaaaa', /^is too easy to guess: Repeated characters like "aaa" are easy to guess\. .*[^.]$/],
    ['P@ssw0rd!', /^is too easy to guess: \S.*[^.]$/],
    ['1'.repeat(128), /^is too easy to guess: \S/],
    ['kF9!xQ2', 'must have 8 to 128 characters'],
    ['kF9!xQ2pL'.repeat(15), 'must have 8 to 128 characters'],
  ])('is refused with a remedy: %s', async (password, fault) => {
    expect(await passwords.findFault(password, [])).toMatch(fault);
  });

  it('may have 128 characters of any script', async () => {
    const emoji = Array.from({ length: 128 }, (_, n) => String.fromCodePoint(0x1f300 + ((n * 37) % 512))).join('');
    expect(await passwords.findFault(emoji, [])).toBeNull();
  });

  it('must not consist of known data of the account', async () => {
    const personal = ['kumquat.orchard@zanzibar.example', 'Marzipan Ltd'];
    for (const password of ['kumquatorchard', 'ZanzibarKumquat', 'marzipanltd1', personal[0]!]) {
      expect(String(await passwords.findFault(password, personal)), password).toMatch(/too easy.*names are/);
    }
    expect(await passwords.findFault('kumquat.orchard@zanzibar.example', [])).toBeNull();
  });

  it('is strong when it was generated', async () => {
    for (let n = 0; n < 20; n += 1) expect(await passwords.findFault(generatePassword(), [])).toBeNull();
  });

  it('does not block the main thread while it is rated, even at maximum length', async () => {
    const judged = { done: false };
    const verdict = passwords
      .findFault('(_,)4@8(3961!|105$7+%2'.repeat(6).slice(0, 128), [])
      .finally(() => (judged.done = true));
    let turns = 0;
    while (!judged.done) {
      await setImmediate();
      turns += 1;
    }
    await verdict;
    expect(turns).toBeGreaterThan(10);
  });
});

describe('the thread', () => {
  it('rejects calls that it cannot handle in time, and continues', async () => {
    const all = await Promise.allSettled(Array.from({ length: 40 }, () => strength.estimate('password1', [])));
    const refused = all.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(8);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'accounts.busy' });
    expect(await strength.estimate('password1', [])).toMatchObject({ score: 0 });
  });

  it('restarts after it was ended', async () => {
    await strength.onModuleDestroy();
    expect(await strength.estimate('password1', [])).toMatchObject({ score: 0 });
  });
});

describe('personalWords', () => {
  it('are the texts whole and in parts', () => {
    expect(personalWords('Ann.Lee@Mail.example', 'Big Café')).toEqual([
      'ann.lee@mail.example',
      'ann.lee',
      'mail.example',
      'ann',
      'lee',
      'mail',
      'example',
      'big café',
      'big',
      'café',
    ]);
  });
});
