export { isAnchorKey } from './audit-anchor-key.js';
export { AuditAnchors } from './audit-anchors.js';
export { findingKey, FindingsRepository, type NewFinding } from './findings.repository.js';
export { GovernanceModule } from './governance.module.js';
export { QuarantineService } from './quarantine.service.js';
