export { WebhookDeliveryModule } from './webhook-delivery.module.js';
export { WebhooksModule } from './webhooks.module.js';
