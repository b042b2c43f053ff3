import { describe, expect, it } from 'vitest';
import { readHosts, readOrigins, readProxies } from './network-names.js';

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
  it.each([
    '10.0.0.7',
    '10.0.0.0/8, ::1',
    '10.0.0.0/255.0.0.0',
    'fd00::/8',
    'loopback,uniquelocal',
    'true',
    'true,proxy.intern',
    '',
  ])('may be %j', (text) => {
    expect(readProxies(text).join(', ')).toBe(text.replaceAll(/,(?=\S)/g, ', '));
  });

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
