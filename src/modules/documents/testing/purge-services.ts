import { AuditLog, type UnitOfWork } from '#libs/database';
import { IdempotencyService } from '#libs/http';
import { eventsOver } from '../../../../libs/events/src/testing/events-over.js';
import { tasksOver } from '../../../../libs/tasks/src/testing/tasks-over.js';
import { DatasetAccess, DatasetDeletionsRepository } from '../../datasets/index.js';
import { DatasetPurgesRepository } from '../deletion/dataset-purges.repository.js';
import { DocumentSightRepository } from '../deletion/document-sight.repository.js';
import { DatasetPurgesService } from '../deletion/dataset-purges.service.js';

export { DeletedDocuments } from '../deletion/deleted-documents.repository.js';
export type { DatasetPurge as PurgeReceipt } from '../deletion/purge.dto.js';

/** The repository of purges, over a database. */
export function purgesOver(unitOfWork: UnitOfWork): DatasetPurgesRepository {
  const tasks = tasksOver(unitOfWork);
  const deletions = new DatasetDeletionsRepository(unitOfWork, tasks);
  return new DatasetPurgesRepository(unitOfWork, deletions, tasks, eventsOver(unitOfWork));
}

/** The store of answers for repeated requests, which knows documents. */
export function idempotencyOver(unitOfWork: UnitOfWork): IdempotencyService {
  return new IdempotencyService(unitOfWork, undefined, documentSightOver(unitOfWork));
}

/** The check of documents before an answer is given a second time. */
export function documentSightOver(unitOfWork: UnitOfWork): DocumentSightRepository {
  return new DocumentSightRepository(unitOfWork, new DatasetAccess(unitOfWork));
}

/** The service that requests purges, over a database. */
export function createPurges(unitOfWork: UnitOfWork): DatasetPurgesService {
  return new DatasetPurgesService(
    unitOfWork,
    purgesOver(unitOfWork),
    new DatasetAccess(unitOfWork),
    new AuditLog(unitOfWork),
  );
}
