import { integer, type Setting } from './setting.js';

const LIMITS = 'Limits';

/** Settings of the space that files and what is made of them may take. */
export const STORAGE_SETTINGS = {
  storageReserveBytes: {
    name: 'STORAGE_RESERVE_BYTES',
    section: LIMITS,
    description:
      'Bytes of the volume of DATA_DIR that must stay free. With less, uploads are answered 507 and workers wait, while reads, searches, deletions and logins continue. Empty: 5 % of the volume, at least 256 MiB, at most 10 GiB, never more than a quarter. 0: nothing is refused.',
    fallback: undefined,
    parse: (value) => {
      if (/^\d+$/.test(value) && Number.isSafeInteger(Number(value))) return Number(value);
      throw new Error(`must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`);
    },
  } as Setting<number | undefined>,
  tenantStorageBytes: integer(
    'TENANT_STORAGE_BYTES',
    0,
    { min: 0, max: Number.MAX_SAFE_INTEGER },
    {
      section: LIMITS,
      description:
        'Maximum number of bytes of the originals of one tenant, all revisions together; an upload that would exceed it is answered 409. 0: no limit.',
    },
  ),
};
