import 'reflect-metadata';
import { newId } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import { loadSecretsKeys, SecretsBox } from '#libs/secrets';
import { TenantDirectory } from '../modules/accounts/index.js';
import { WebhookSecretsResealing } from '../modules/webhooks/index.js';
import { BackupError } from './backup/backup.errors.js';
import type { CommandDatabase } from './open-running-database.js';
import { withRunningDatabase } from './with-running-database.js';

/**
 * `npm run secrets:reseal`: after SECRETS_KEY was rotated, brings every secret of the database under the present key, beside the running
 * service. Says how many there were, and how many are left because no key opens them, by their webhooks. Exit code 0: none is left, and
 * SECRETS_FORMER_KEYS may go; 1: some are, or there is no key.
 */
const SHOWN = 20;

await withRunningDatabase('Resealing', resealAll);

async function resealAll({ settings, database }: CommandDatabase): Promise<void> {
  const box = new SecretsBox(await loadSecretsKeys(settings));
  if (!box.canSeal) throw new BackupError('There is no key to seal with: set SECRETS_KEY as the service has it.');
  const unitOfWork = new UnitOfWork(database);
  const webhooks = new WebhookSecretsResealing(unitOfWork, box);
  const principal = { kind: 'system', permissions: new Set<never>() } as const;
  let [resealed, present] = [0, 0];
  const left: string[] = [];
  for (const tenantId of await new TenantDirectory(unitOfWork).list()) {
    const found = await webhooks.run({ tenantId, principal, requestId: `reseal-${newId()}` });
    resealed += found.resealed;
    present += found.present;
    left.push(...found.unreadable.map((id) => `webhook ${id} of tenant ${tenantId}`));
  }
  process.stdout.write(`${resealed} resealed, ${present} under the present key already, ${left.length} left\n`);
  if (left.length === 0) return;
  process.exitCode = 1;
  // A webhook has two while its former secret still holds.
  const shown = [...new Set(left)].slice(0, SHOWN).join('\n  ');
  process.stderr.write(
    `No key opens those that are left. Give their key to SECRETS_FORMER_KEYS, or rotate them:\n  ${shown}\n`,
  );
}
