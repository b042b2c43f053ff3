import { oneOf, type Setting } from './setting.js';

/** Settings of the audit log. */
export const AUDIT_SETTINGS = {
  auditAnchors: oneOf('AUDIT_ANCHORS', ['on', 'off'], 'off', {
    section: 'Audit',
    description:
      'Whether the number and hash of the last entry of each audit log are written to the object storage at start, at stop and every 15 minutes. These objects are created once and never replaced.',
  }),
} as const satisfies Record<string, Setting<unknown>>;
