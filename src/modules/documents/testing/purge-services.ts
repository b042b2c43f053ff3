import { AuditLog, type UnitOfWork } from '#libs/database';
import { tasksOver } from '../../../../libs/tasks/src/testing/tasks-over.js';
import { DatasetAccess, DatasetDeletionsRepository } from '../../datasets/index.js';
import { DatasetPurgesRepository } from '../dataset-purges.repository.js';
import { DatasetPurgesService } from '../dataset-purges.service.js';

export type { DatasetPurge as PurgeReceipt } from '../dto/purge.dto.js';

/** The service that promises purges, over a database. */
export function createPurges(unitOfWork: UnitOfWork): DatasetPurgesService {
  return new DatasetPurgesService(
    unitOfWork,
    new DatasetPurgesRepository(
      unitOfWork,
      new DatasetDeletionsRepository(unitOfWork, tasksOver(unitOfWork)),
      tasksOver(unitOfWork),
    ),
    new DatasetAccess(unitOfWork),
    new AuditLog(unitOfWork),
  );
}
