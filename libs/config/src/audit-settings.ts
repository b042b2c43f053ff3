import { oneOf, type Setting } from './setting.js';

/** Settings of the audit log. */
export const AUDIT_SETTINGS = {
  auditAnchors: oneOf('AUDIT_ANCHORS', ['on', 'off'], 'off', {
    section: 'Audit',
    description:
      'Whether the number and hash of the last entry of each audit log are kept as objects in the storage of files, at start, at stop and every 15 minutes. They are created once and never replaced.',
  }),
} as const satisfies Record<string, Setting<unknown>>;
