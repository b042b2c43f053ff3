import { AuditLog, type UnitOfWork } from '#libs/database';
import { DatasetAccess } from '../../datasets/index.js';
import { createPolicyServices } from '../../ingestion-policy/testing/policy-services.js';
import { DocumentsRepository } from '../record/documents.repository.js';
import { DocumentsService } from '../reading/documents.service.js';
import { PoliciesInForce } from '../reading/policies-in-force.service.js';

/** The service that reads documents for callers, over a database. */
export function createDocumentsReader(unitOfWork: UnitOfWork): DocumentsService {
  const access = new DatasetAccess(unitOfWork);
  return new DocumentsService(
    new DocumentsRepository(unitOfWork, access),
    new AuditLog(unitOfWork),
    new PoliciesInForce(access, createPolicyServices(unitOfWork).policies),
  );
}
