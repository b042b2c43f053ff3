import { describe, expect, it } from 'vitest';
import { isOwnPage } from './mcp.controller.js';

const at = (host: string, protocol = 'http') => ({ protocol, host });

describe('an own page', () => {
  it.each([
    ['http://127.0.0.1:8000', at('127.0.0.1:8000')],
    ['http://localhost:8000', at('localhost:8000')],
    ['http://[::1]:8000', at('[::1]:8000')],
    ['https://192.0.2.7', at('192.0.2.7', 'https')],
  ])('has the origin of the request, %s', (origin, arrival) => {
    expect(isOwnPage(origin, arrival, undefined)).toBe(true);
  });

  it.each([
    ['a name that was pointed here', 'http://evil.example:8000', at('evil.example:8000')],
    ['a name like an address', 'http://127.0.0.1.evil.example:8000', at('127.0.0.1.evil.example:8000')],
    ['a name below localhost', 'http://evil.localhost:8000', at('evil.localhost:8000')],
    ['another port', 'http://127.0.0.1:9000', at('127.0.0.1:8000')],
    ['another protocol', 'https://127.0.0.1:8000', at('127.0.0.1:8000')],
    ['another address', 'http://192.0.2.7:8000', at('127.0.0.1:8000')],
    ['another name of the same machine', 'http://localhost:8000', at('127.0.0.1:8000')],
    ['a page without an origin', 'null', at('null')],
    ['what is no address', 'http://[', at('[')],
    ['nothing', '', at('')],
  ])('is not %s', (_what, origin, arrival) => {
    expect(isOwnPage(origin, arrival, undefined)).toBe(false);
    expect(isOwnPage(origin, arrival, 'https://kb.example')).toBe(false);
  });

  it('has the origin of PUBLIC_URL, whatever the request says', () => {
    const proxied = at('10.0.0.5:8000');
    expect(isOwnPage('https://kb.example', proxied, 'https://kb.example/base/')).toBe(true);
    expect(isOwnPage('https://kb.example', proxied, 'https://KB.example:443')).toBe(true);
    expect(isOwnPage('http://kb.example', proxied, 'https://kb.example')).toBe(false);
    expect(isOwnPage('https://kb.example', at('kb.example', 'https'), undefined)).toBe(false);
  });
});
