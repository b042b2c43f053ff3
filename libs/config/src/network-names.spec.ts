import { describe, expect, it } from 'vitest';
import { findIgnoredEntries } from './ignored-entries.js';
import { HOSTS, networkNames, ORIGINS, PROXIES } from './network-names.js';

const about = { section: 'Test', description: 'Test.' };
const { parse: readHosts } = networkNames('HOSTS', HOSTS, about);
const { parse: readOrigins } = networkNames('ORIGINS', ORIGINS, about);
const { parse: readProxies } = networkNames('PROXIES', PROXIES, about);

describe('hosts', () => {
  it('are kept in lower case, with their ports', () => {
    expect(readHosts('Receiver.intern, 10.0.0.7:8080,[fd00::1]:81')).toEqual([
      'receiver.intern',
      '10.0.0.7:8080',
      '[fd00::1]:81',
    ]);
  });

  it.each(['http://receiver.intern', 'receiver.intern/path', 'user@receiver.intern', '*.intern', 'fd00::1', 'a b'])(
    'are not %j',
    (text) => {
      expect(() => readHosts(text)).toThrow('must be hosts alone');
    },
  );
});

describe('origins', () => {
  it('are kept as browsers send them', () => {
    expect(
      readOrigins('https://App.example.com:443/, http://localhost:5173,chrome-extension://abcdef, file://, *, null'),
    ).toEqual([
      'https://app.example.com',
      'http://localhost:5173',
      'chrome-extension://abcdef',
      'file://',
      '*',
      'null',
    ]);
  });

  it.each(['app.example.com', 'https://app.example.com/console', 'https://*.example.com', 'https://a@b', 'https:/a'])(
    'are not %j',
    (text) => {
      expect(() => readOrigins(text)).toThrow('must be origins such as https://app.example.com');
    },
  );
});

describe('proxies', () => {
  it.each(['10.0.0.7', '10.0.0.0/8, ::1', '10.0.0.0/255.0.0.0', 'fd00::/8', 'loopback,uniquelocal', 'true', ''])(
    'may be %j',
    (text) => {
      expect(readProxies(text).join(', ')).toBe(text.replaceAll(/,(?=\S)/g, ', '));
    },
  );

  it.each([
    '300.1.1.1',
    'proxy.intern',
    '10.0.0.0/33',
    '10.0.0.0/255.0.255.0',
    '10.0.0.0/0',
    '10.0.0.0/',
    'false',
    '1',
    'fd00::/129',
  ])('are not %j', (text) => {
    expect(() => readProxies(text)).toThrow('must be addresses or networks such as 10.0.0.7 or 10.0.0.0/8');
  });
});

describe('what can never match', () => {
  it('is ignored beside what can, which goes on to count', () => {
    expect(readHosts('receiver.intern, http://other.intern')).toEqual(['receiver.intern']);
    expect(readOrigins('https://app.example.com,app.example.com')).toEqual(['https://app.example.com']);
    expect(readProxies('proxy.intern, 10.0.0.7')).toEqual(['10.0.0.7']);
    expect(readProxies('true,proxy.intern')).toEqual(['true']);
  });

  it('is named, of each list', () => {
    const environment = {
      CORS_ORIGINS: 'https://app.example.com, https://app.example.com/console',
      TRUST_PROXY: '10.0.0.0/8,proxy.intern',
      WEBHOOK_ALLOWED_HOSTS: 'receiver.intern',
    };
    expect(findIgnoredEntries(environment)).toEqual([
      { setting: 'CORS_ORIGINS', entry: 'https://app.example.com/console' },
      { setting: 'TRUST_PROXY', entry: 'proxy.intern' },
    ]);
    expect(findIgnoredEntries({})).toEqual([]);
  });
});
