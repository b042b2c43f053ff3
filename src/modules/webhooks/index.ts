export { WebhookDeliveryModule } from './webhook-delivery.module.js';
export { WebhookSecretsResealing } from './endpoints/webhook-secrets-resealing.service.js';
export { WebhooksModule } from './webhooks.module.js';
