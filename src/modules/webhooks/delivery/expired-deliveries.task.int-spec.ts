import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '#libs/common';
import { TenantDirectory } from '../../accounts/index.js';
import { runningTask, tasksOver } from '../../../../libs/tasks/src/testing/tasks-over.js';
import { WebhookDeliveriesRepository } from '../endpoints/webhook-deliveries.repository.js';
import { ExpiredDeliveries } from './expired-deliveries.task.js';
import { Receiver } from '../testing/receiver.js';
import { WebhookLab } from '../testing/webhook-lab.js';

let lab: WebhookLab;
let receiver: Receiver;

beforeAll(async () => {
  lab = await WebhookLab.open();
  receiver = await Receiver.open();
});
afterAll(async () => {
  await receiver.close();
  await lab.close();
});

it('deliveries that ended long ago are removed from the log, and deliveries without a task get one', async () => {
  const datasetId = await lab.addDataset();
  const { id } = await lab.addWebhook(receiver.url());
  const [old, young, lost] = [newId(), newId(), newId()];
  for (const documentId of [old, young]) await lab.completed(documentId, datasetId);
  await lab.work();
  await lab.sql(`UPDATE webhook_deliveries SET ended_at = now() - interval '31 days' WHERE lane = $1`, [old]);
  await lab.completed(lost, datasetId);
  await lab.system(`DELETE FROM tasks`);
  await lab.sql(`UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 hour' WHERE lane = $1`, [lost]);
  const expired = new ExpiredDeliveries(
    lab.unitOfWork,
    new WebhookDeliveriesRepository(lab.unitOfWork),
    new TenantDirectory(lab.unitOfWork),
    { values: lab.settings },
    lab.metrics,
    tasksOver(lab.unitOfWork),
  );
  expect(await expired.run(runningTask(lab.owner.ctx, {}))).toEqual({ removed: 1 });
  expect(await expired.run(runningTask(lab.owner.ctx, {}))).toEqual({ removed: 0 });
  expect((await lab.deliveriesOf(id)).map(({ status }) => status)).toEqual(['delivered', 'pending']);
  await lab.work();
  expect((await lab.deliveriesOf(id)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
});
