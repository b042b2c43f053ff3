import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { makeSecret, signMessage } from './webhook-secret.js';

const BODY = '{"type":"document.completed","timestamp":"2026-01-05T09:30:00.000Z","data":{"name":"ü – 😀"}}';

it('messages are verified by the package of the scheme, with either of two secrets and with no other', () => {
  const [present, former] = [makeSecret(), makeSecret()];
  expect(present).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const headers = { ...signMessage('id-1', new Date(), BODY, [present, former]) };
  expect(new Webhook(present).verify(BODY, headers)).toMatchObject({ type: 'document.completed' });
  expect(new Webhook(former).verify(BODY, headers)).toMatchObject({ type: 'document.completed' });
  expect(() => new Webhook(makeSecret()).verify(BODY, headers)).toThrow('No matching signature');
  expect(() => new Webhook(present).verify(`${BODY} `, headers)).toThrow('No matching signature');
  expect(() => new Webhook(present).verify(BODY, { ...headers, 'webhook-id': 'id-2' })).toThrow(
    'No matching signature',
  );
});

it('the time of a message is that of its attempt, in seconds', () => {
  const headers = signMessage('id-1', new Date('2026-01-05T09:30:00.999Z'), BODY, [makeSecret()]);
  expect(headers['webhook-timestamp']).toBe('1767605400');
});
