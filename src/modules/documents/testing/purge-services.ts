import { AuditLog, Outbox, type UnitOfWork } from '#libs/database';
import { DatasetAccess } from '../../datasets/index.js';
import { DatasetPurgesRepository } from '../dataset-purges.repository.js';
import { DatasetPurgesService } from '../dataset-purges.service.js';

export type { DatasetPurge as PurgeReceipt } from '../dto/purge.dto.js';

/** The service that promises purges, over a database. */
export function createPurges(unitOfWork: UnitOfWork): DatasetPurgesService {
  return new DatasetPurgesService(
    unitOfWork,
    new DatasetPurgesRepository(unitOfWork, new Outbox(unitOfWork)),
    new DatasetAccess(unitOfWork),
    new AuditLog(unitOfWork),
  );
}
