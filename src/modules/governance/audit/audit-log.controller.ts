import { Controller, Get, Headers, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { callerSignal } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { AuditLogService } from './audit-log.service.js';
import { AuditLogEntry, AuditLogPage, AuditLogQuery, AuditLogVerification } from './audit-log.dto.js';

const JSON_LINES = 'application/x-ndjson';

@ApiTags('Governance')
@Controller('governance/audit-log')
export class AuditLogController {
  constructor(private readonly log: AuditLogService) {}

  /**
   * Read the audit log.
   * @remarks What was done in the tenant: logins, keys, members, access lists, policies, deletions, quarantine and release, reads of what is
   * quarantined, exports. Entries are only ever appended, and each carries the hash of the one before. With `format=jsonl`, or
   * `Accept: application/x-ndjson`, all entries that match are streamed, one in each line, the first one first; `skip`, `limit` and
   * `order_by` do not count then. Texts about a dataset that the caller does not see are left out. An API key for certain datasets gets
   * no entries about others.
   */
  @Get()
  @Permit('audit:read')
  @ApiOperation({ operationId: 'listAuditLog' })
  @ApiExtraModels(AuditLogPage, AuditLogEntry)
  @ApiOkResponse({
    description: 'A page of entries, or all that match as JSON lines.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(AuditLogPage) } },
      [JSON_LINES]: { schema: { type: 'string', description: 'An `AuditLogEntry` in each line.' } },
    },
  })
  async list(
    @Ctx() ctx: RequestContext,
    @Query() query: AuditLogQuery,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuditLogPage | StreamableFile> {
    const format = query.format ?? (accept?.toLowerCase().includes(JSON_LINES) === true ? 'jsonl' : 'json');
    if (format === 'json') return this.log.list(ctx, query);
    const lines = await this.log.export(ctx, query, callerSignal(reply));
    return new StreamableFile(lines, { type: JSON_LINES, disposition: 'attachment; filename="audit-log.jsonl"' });
  }

  /**
   * Verify the audit log.
   * @remarks Reads every entry of the tenant and compares it with its hash, with the entry before, and with the anchors that are kept outside
   * of the database (`AUDIT_ANCHORS=on`). Names the first entry that was changed, removed, moved or put in. Entries that were removed
   * at the end show by an anchor alone.
   */
  @Get('verify')
  @Permit('audit:read', { outsider: 'not_found' })
  @ApiOperation({ operationId: 'verifyAuditLog' })
  verify(@Ctx() ctx: RequestContext, @Res({ passthrough: true }) reply: FastifyReply): Promise<AuditLogVerification> {
    return this.log.verify(ctx, callerSignal(reply));
  }
}
