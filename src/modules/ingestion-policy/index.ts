export { IngestionPolicies, type VersionedPolicy } from './policy/ingestion-policies.service.js';
export {
  governanceRulesOf,
  isStricter,
  isWeaker,
  type GovernanceRule,
  type GovernanceRules,
} from './rules/governance-rules.js';
export {
  DEFAULT_POLICY,
  type TablesPolicy,
  DETECTOR_ACTIONS,
  type DetectorAction,
  type ChunkingPolicy,
  type EnrichmentPolicy,
  type IngestionPolicy,
} from './schema/ingestion-policy.entity.js';
export { policyErrors } from './ingestion-policy.errors.js';
export { chunksCutBy, moveWarnings, policyWarnings, type ModelReach } from './rules/model-reach.js';
export { PolicyWarning } from './schema/ingestion-policy.dto.js';
export { IngestionPolicyModule } from './ingestion-policy.module.js';
export { fingerprintOf } from './rules/policy-fingerprint.js';
export { INGESTION_POLICY_COMPONENT } from './schema/policy-schema.js';
export { PolicyUsage } from './rules/policy-usage.port.js';
export { RetrievalDefaultsCheck } from './rules/retrieval-defaults-check.port.js';
export type { RetrievalDefaults } from './schema/retrieval-defaults.js';
export { PresentPolicies } from './policy/present-policies.service.js';
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
} from './schema/search-option-limits.js';
export { requireValidPolicy } from './rules/policy-validation.js';
export { IngestionPolicySchema } from './schema/ingestion-policy-schema.dto.js';
export { POLICY_COMPONENT_NAME } from './schema/policy.openapi.js';
export { wantedEmbedding, type WantedEmbedding } from './rules/wanted-embedding.js';
export { GRAPH_ENTITY_TYPES, type GraphEntityType } from './schema/graph-entity-types.js';
export { POLICY_VERSION_CREATED, type PolicyVersionCreated } from './ingestion-policy.events.js';
