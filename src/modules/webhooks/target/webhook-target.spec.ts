import { describe, expect, it } from 'vitest';
import { isPublicAddress, judgeUrl } from './webhook-target.js';

const codeOf = (url: string, allowed: readonly string[] = []): string | null => {
  const judged = judgeUrl(url, allowed);
  return 'problem' in judged ? judged.problem.code : null;
};

describe('targets of webhooks', () => {
  it.each([
    'https://example.com/hook',
    'http://example.com',
    'https://example.com:8443/a?b=c#d',
    'https://93.184.215.14/hook',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/hook',
    'https://example.com./hook',
    'https://bücher.example.org/hook',
  ])('take %s', (url) => {
    expect(codeOf(url)).toBeNull();
  });

  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://0/',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://192.0.0.192/',
    'http://198.18.0.1/',
    'http://192.0.2.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://240.0.0.1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[ff02::1]/',
    'http://[2001:db8::1]/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://api.localhost/',
    'http://receiver/',
    'http://metadata.google.internal/',
    'http://printer.local/',
    'http://①②⑦.⓪.⓪.①/',
  ])('refuse %s', (url) => {
    expect(codeOf(url)).toBe('target_not_public');
  });

  it.each([
    ['ftp://example.com/', 'is_url'],
    ['file:///etc/passwd', 'is_url'],
    ['javascript:alert(1)', 'is_url'],
    ['//example.com/hook', 'is_url'],
    ['example.com/hook', 'is_url'],
    ['https://', 'is_url'],
    ['https:///hook', 'is_url'],
    ['', 'is_url'],
    [' https://example.com', 'is_url'],
    ['https://exam ple.com', 'is_url'],
    ['https://example.com\\@127.0.0.1/', 'is_url'],
    ['https://example.com/\n', 'is_url'],
    ['https://999.1.1.1/', 'is_url'],
    ['https://[::1/', 'is_url'],
    ['https://user@example.com/', 'no_credentials'],
    ['https://user:password@example.com/', 'no_credentials'],
    ['https://@example.com/', 'no_credentials'],
    ['http://example.com:22/', 'port_not_allowed'],
    ['http://example.com:1023/', 'port_not_allowed'],
    ['https://example.com:0/', 'port_not_allowed'],
    [`https://example.com/${'a'.repeat(2048)}`, 'max_length'],
  ])('refuse %s as %s', (url, code) => {
    expect(codeOf(url)).toBe(code);
  });

  it('accept a listed host only in the form in which it is listed', () => {
    expect(codeOf('http://127.0.0.1:9000/hook', ['127.0.0.1'])).toBeNull();
    expect(codeOf('http://127.0.0.1:25/hook', ['127.0.0.1'])).toBeNull();
    expect(codeOf('http://Receiver/hook', ['receiver'])).toBeNull();
    expect(codeOf('http://[::1]:9000/hook', ['[::1]'])).toBeNull();
    for (const url of [
      'http://localhost:9000/',
      'http://127.1:9000/',
      'http://2130706433/',
      'http://[::ffff:127.0.0.1]/',
    ]) {
      expect(codeOf(url, ['127.0.0.1'])).toBe('target_not_public');
    }
    expect(codeOf('http://127.0.0.1:9000/', ['127.0.0.1:9000'])).toBeNull();
    expect(codeOf('http://127.0.0.1:9001/', ['127.0.0.1:9000'])).toBe('target_not_public');
    expect(codeOf('http://user@127.0.0.1/', ['127.0.0.1'])).toBe('no_credentials');
    expect(codeOf('http://127.0.0.1.example.com/', ['127.0.0.1'])).toBeNull();
  });

  it('check addresses from resolvers in every form', () => {
    expect(['1.1.1.1', '2606:4700:4700::1111'].every(isPublicAddress)).toBe(true);
    const refused = ['127.0.0.1', '::ffff:10.0.0.1', 'fe80::1%eth0', '0.0.0.0', 'no address', '', '::1'];
    expect(refused.filter(isPublicAddress)).toEqual([]);
  });
});
