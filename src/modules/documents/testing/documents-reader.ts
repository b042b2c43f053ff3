import { AuditLog, type UnitOfWork } from '#libs/database';
import { DatasetAccess } from '../../datasets/index.js';
import { DocumentsRepository } from '../documents.repository.js';
import { DocumentsService } from '../documents.service.js';

/** Documents as callers see them, over a database. */
export function createDocumentsReader(unitOfWork: UnitOfWork): DocumentsService {
  return new DocumentsService(
    new DocumentsRepository(unitOfWork, new DatasetAccess(unitOfWork)),
    new AuditLog(unitOfWork),
  );
}
