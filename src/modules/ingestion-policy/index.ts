export { IngestionPolicies, type VersionedPolicy } from './ingestion-policies.service.js';
export { DEFAULT_POLICY, type IngestionPolicy } from './ingestion-policy.entity.js';
export { policyErrors } from './ingestion-policy.errors.js';
export { IngestionPolicyModule } from './ingestion-policy.module.js';
export { fingerprintOf } from './policy-fingerprint.js';
