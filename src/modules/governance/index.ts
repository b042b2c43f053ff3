export { isAnchorKey } from './audit-anchor-key.js';
export { AuditAnchors } from './audit-anchors.js';
export { allTypesUnder, countInContent, findInContent, type SearchedTypes } from './content-search.js';
export { findingKey, FindingsRepository, MOST_FINDINGS_KEPT, type NewFinding } from './findings.repository.js';
export { FactsQuarantineModule, GovernanceModule } from './governance.module.js';
export { QuarantineService } from './quarantine.service.js';
