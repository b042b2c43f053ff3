import { describe, expect, it } from 'vitest';
import { mountTable } from './mount-table.js';

describe('mountTable', () => {
  it('mounts everything read-only but the output, temporary files and devices, and escapes paths', () => {
    const table = mountTable({
      root: '/data/a b/root',
      input: '/data/a b/in',
      output: '/data/a b/out',
      visible: [
        { kind: 'folder', path: '/usr/lib' },
        { kind: 'link', path: '/lib', target: 'usr/lib' },
        { kind: 'device', path: '/dev/null' },
        { kind: 'file', path: '/opt/x\\y\tz' },
      ],
    });
    expect(table.trimEnd().split('\n')).toEqual([
      '/data/a\\040b/root /data/a\\040b/root none bind,ro,nosuid,nodev,noexec 0 0',
      '/usr/lib /data/a\\040b/root/usr/lib none rbind,ro,nosuid,nodev 0 0',
      '/dev/null /data/a\\040b/root/dev/null none bind 0 0',
      '/opt/x\\134y\\011z /data/a\\040b/root/opt/x\\134y\\011z none bind,ro,nosuid,nodev 0 0',
      '/data/a\\040b/in /data/a\\040b/root/exchange/in none bind,ro,nosuid,nodev,noexec 0 0',
      '/data/a\\040b/out /data/a\\040b/root/exchange/out none bind,nosuid,nodev,noexec 0 0',
      'tmpfs /data/a\\040b/root/exchange/tmp tmpfs size=268435456,nr_inodes=20000,mode=1777,nosuid,nodev,noexec 0 0',
    ]);
  });
});
