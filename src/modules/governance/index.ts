export { GovernanceModule } from './governance.module.js';
export { QuarantineService } from './quarantine.service.js';
