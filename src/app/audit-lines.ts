import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { AuditLog } from '#libs/database';

/** Writes a line into the log for each entry of the audit log that was committed: keys, roles, passwords, datasets, policies. */
@Injectable()
export class AuditLines {
  constructor(audit: AuditLog, logger: PinoLogger) {
    audit.onAppended(({ tenantId, actor, address, requestId, entry }) =>
      logger.info({ tenantId, actor, subject: entry.subject, details: entry.details, address, requestId }, entry.event),
    );
  }
}
