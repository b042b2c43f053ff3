export { IngestionPolicies, type VersionedPolicy } from './ingestion-policies.service.js';
export {
  governanceRulesOf,
  isStricter,
  isWeaker,
  type GovernanceRule,
  type GovernanceRules,
} from './governance-rules.js';
export {
  DEFAULT_POLICY,
  type TablesPolicy,
  DETECTOR_ACTIONS,
  type DetectorAction,
  type ChunkingPolicy,
  type EnrichmentPolicy,
  type IngestionPolicy,
} from './ingestion-policy.entity.js';
export { policyErrors } from './ingestion-policy.errors.js';
export { chunksCutBy, moveWarnings, policyWarnings, type ModelReach } from './model-reach.js';
export { PolicyWarning } from './dto/ingestion-policy.dto.js';
export { IngestionPolicyModule } from './ingestion-policy.module.js';
export { fingerprintOf } from './policy-fingerprint.js';
export { INGESTION_POLICY_COMPONENT } from './policy-schema.js';
export { PolicyUsage } from './policy-usage.port.js';
export { RetrievalDefaultsCheck } from './retrieval-defaults-check.port.js';
export type { RetrievalDefaults } from './retrieval-defaults.js';
export { PresentPolicies } from './present-policies.js';
export {
  CANDIDATE_K_MAX,
  FUSION_METHODS,
  ON_EMBEDDING_FAILURE,
  QUERY_EXPANSIONS,
  RERANK_TOP_N_MAX,
  RERANKER_NAME_MAX,
  RESULT_EXPANSIONS,
  RRF_K_MAX,
  SEARCH_METHODS,
  TOP_K_MAX,
} from './search-option-limits.js';
export { requireValidPolicy } from './policy-validation.js';
export { IngestionPolicySchema } from './dto/ingestion-policy-schema.dto.js';
export { POLICY_COMPONENT_NAME } from './policy.openapi.js';
export { wantedEmbedding, type WantedEmbedding } from './wanted-embedding.js';
