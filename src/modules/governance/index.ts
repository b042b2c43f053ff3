export { isAnchorKey } from './audit/audit-anchor-key.js';
export { AuditAnchors } from './audit/audit-anchors.service.js';
export { allTypesUnder, countInContent, findInContent, type SearchedTypes } from './findings/content-search.js';
export { findingKey, FindingsRepository, MOST_FINDINGS_KEPT, type NewFinding } from './findings/findings.repository.js';
export { FactsQuarantineModule, GovernanceModule } from './governance.module.js';
export { QuarantineService } from './quarantine/quarantine.service.js';
