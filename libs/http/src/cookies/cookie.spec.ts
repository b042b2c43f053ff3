import { describe, expect, it } from 'vitest';
import { findCookie, formatCookie, type HttpOnlyCookie } from './cookie.js';

const COOKIE: HttpOnlyCookie = {
  name: 'kb_refresh',
  value: 'kbr_abc',
  path: '/api/v1/auth',
  sameSite: 'Strict',
  isSecure: false,
  maxAgeSeconds: 60,
};

describe('a cookie', () => {
  it('is for no script, for one path, and for no other site', () => {
    expect(formatCookie(COOKIE)).toBe('kb_refresh=kbr_abc; Path=/api/v1/auth; Max-Age=60; HttpOnly; SameSite=Strict');
  });

  it('is for TLS alone where it is told so', () => {
    expect(formatCookie({ ...COOKIE, isSecure: true, sameSite: 'Lax' })).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
  });

  it('is taken away by one without a value', () => {
    expect(formatCookie({ ...COOKIE, value: '' })).toContain('kb_refresh=; Path=/api/v1/auth; Max-Age=0;');
  });

  it.each([
    ['kb_refresh=kbr_abc', 'kbr_abc'],
    ['theme=dark; kb_refresh=kbr_abc; a=b', 'kbr_abc'],
    ['xkb_refresh=no;kb_refresh=kbr_abc', 'kbr_abc'],
    ['kb_refresh=kbr_abc; kb_refresh=second', 'kbr_abc'],
    ['kb_refresh=', undefined],
    ['kb_refresh', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('is found in %j', (header, expected) => {
    expect(findCookie(header, 'kb_refresh')).toBe(expected);
  });
});
