import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadSecretsKeys, SecretsBox } from '#libs/secrets';
import { WebhookSecretsResealing } from './webhook-secrets-resealing.service.js';
import { WebhookLab } from '../testing/webhook-lab.js';

const SECOND = 'second-key-of-thirty-two-characters';
const THIRD = 'third-key-of-thirty-two-characters.';
const MANY = 130;

let lab: WebhookLab;
beforeAll(async () => {
  lab = await WebhookLab.open();
});
afterAll(() => lab.close());

const boxOf = async (key: string, ...former: string[]): Promise<SecretsBox> => {
  const settings = { secretsKey: key, secretsFormerKeys: former, databaseUrl: lab.db.url, dataDir: '/nowhere' };
  return new SecretsBox(await loadSecretsKeys(settings));
};
const reseal = (box: SecretsBox): ReturnType<WebhookSecretsResealing['run']> =>
  new WebhookSecretsResealing(lab.unitOfWork, box).run(lab.owner.ctx);

it('encrypts all secrets with the present key, batch after batch, and names those that no key decrypts', async () => {
  const first = await boxOf(SECOND);
  const before = await boxOf(THIRD, SECOND);
  const made = await lab.webhooks(first).create(lab.owner.ctx, { url: 'https://127.0.0.1/', events: ['kg.completed'] });
  // The secret is bound to its endpoint, so copies of the row are invalid until each has its own secret.
  const copied = await lab.sql<{ id: string }>(
    `INSERT INTO webhook_endpoints (id, tenant_id, account_id, url, events, enabled, secret)
     SELECT gen_random_uuid(), tenant_id, account_id, url, events, enabled, secret FROM webhook_endpoints, generate_series(1, $1)
     RETURNING id`,
    [MANY - 1],
  );
  for (const { id } of copied) {
    const sealed = first.seal(made.secret, `webhook:${id}`);
    await lab.sql(`UPDATE webhook_endpoints SET secret = $2 WHERE id = $1`, [id, sealed]);
  }
  await lab.sql(`UPDATE webhook_endpoints SET secret = 'v1.gone.AAAA.AAAA' WHERE id = $1`, [copied[0]!.id]);
  await lab.webhooks(before).rotateSecret(lab.owner.ctx, made.id);

  // The rotated one has a present secret under the new key, and a former one.
  expect(await reseal(before)).toEqual({ resealed: MANY - 1, present: 1, unreadable: [copied[0]!.id] });
  expect(await reseal(before)).toEqual({ resealed: 0, present: MANY, unreadable: [copied[0]!.id] });
  const alone = await boxOf(THIRD);
  for (const row of await lab.sql<{ id: string; secret: string; former_secret: string | null }>(
    `SELECT id, secret, former_secret FROM webhook_endpoints WHERE id <> $1`,
    [copied[0]!.id],
  )) {
    expect(alone.open(row.former_secret ?? row.secret, `webhook:${row.id}`)).toBe(made.secret);
  }
});

it('removes former secrets that have expired', async () => {
  await lab.sql(
    `UPDATE webhook_endpoints SET former_secret_until = now() - interval '1 second', former_secret = 'v1.gone.A.A'`,
  );
  const { unreadable } = await reseal(await boxOf(THIRD));
  expect(unreadable).toHaveLength(1);
  expect(await lab.sql(`SELECT id FROM webhook_endpoints WHERE former_secret IS NOT NULL`)).toEqual([]);
});
