import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { isUuid, newId, type TenantId } from '#libs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import { createObjectStorage } from '#libs/object-storage';
import { TenantDirectory } from '../modules/accounts/index.js';
import { AuditAnchors } from '../modules/governance/index.js';
import { objectStorageOptions } from '../app/object-storage-options.js';
import { withRunningDatabase } from './with-running-database.js';

/**
 * `npm run audit:verify [-- --anchors] [--tenant ID]`: reads the audit log of every tenant, or of one, and compares each entry with its
 * hash and the entry before; with `--anchors` also with what is kept in the storage of files. Writes a line of JSON for each tenant, which
 * names the first broken entry. Exit code 1: an audit log is not as it was written.
 */
const { values } = parseArgs({ strict: false, options: { anchors: { type: 'boolean' }, tenant: { type: 'string' } } });
const known = new Set(['anchors', 'tenant']);
const tenant = values.tenant;
if (Object.keys(values).some((name) => !known.has(name)) || (tenant !== undefined && !isUuid(String(tenant)))) {
  process.stderr.write('Say what to verify: [--anchors] [--tenant ID].\n');
  process.exit(2);
}
await withRunningDatabase('Verifying', async ({ settings, database }) => {
  const unitOfWork = new UnitOfWork(database);
  const audit = new AuditLog(unitOfWork);
  const storage = values.anchors === true ? await createObjectStorage(objectStorageOptions(settings)) : undefined;
  const anchors = storage && new AuditAnchors({ values: { ...settings, auditAnchors: 'on' } }, storage);
  const all = await new TenantDirectory(unitOfWork).list();
  const wanted = all.filter((id) => tenant === undefined || id === String(tenant).toLowerCase());
  if (tenant !== undefined && wanted.length === 0) {
    process.stderr.write('There is no tenant of that id.\n');
    process.exitCode = 2;
  }
  for (const tenantId of wanted) await verify(audit, anchors, tenantId);
});

async function verify(audit: AuditLog, anchors: AuditAnchors | undefined, tenantId: TenantId): Promise<void> {
  const principal = { kind: 'system', permissions: new Set<never>() } as const;
  const found = (await anchors?.list(tenantId)) ?? null;
  const { entries, head, broken } = await audit.verify({ tenantId, principal, requestId: newId() }, found ?? []);
  const line = { tenant_id: tenantId, valid: broken === null, entries, anchors: found?.length ?? null, head };
  process.stdout.write(`${JSON.stringify({ ...line, first_broken: broken })}\n`);
  if (broken !== null) process.exitCode = 1;
}
