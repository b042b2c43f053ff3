export { AccountsBootstrap, type FirstAdministrator } from './accounts-bootstrap.js';
export { AccountsRecovery } from './accounts-recovery.js';
export { AccountsRecoveryModule } from './accounts-recovery.module.js';
export { AccountsModule } from './accounts.module.js';
export { DatasetOwnershipPort } from './dataset-ownership.port.js';
export { DatasetVisibilityPort } from './dataset-visibility.port.js';
export { TenantDirectory } from './tenant-directory.js';
export { MemberDirectory } from './member-directory.js';
export { requireActingTenant } from './member-rights.js';
