export { WebhookDeliveryModule } from './webhook-delivery.module.js';
export { WebhookSecretsResealing } from './endpoints/webhook-secrets-resealing.js';
export { WebhooksModule } from './webhooks.module.js';
