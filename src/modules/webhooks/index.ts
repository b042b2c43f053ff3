export { WebhookDeliveryModule } from './webhook-delivery.module.js';
export { WebhookSecretsResealing } from './webhook-secrets-resealing.js';
export { WebhooksModule } from './webhooks.module.js';
