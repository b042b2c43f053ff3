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
   * @remarks Actions in the tenant: logins, keys, members, access lists, policies, deletions, quarantine and release, reads of quarantined
   * content, exports. Entries are only appended, and each contains the hash of the previous one. With `format=jsonl` or `Accept:
   * application/x-ndjson` all entries that match are streamed, one per line, the first one first; `skip`, `limit` and `order_by` are
   * ignored then. Texts about a dataset that the caller does not see are left out of the entries. An API key that is limited to certain
   * datasets gets no entries about other datasets.
   */
  @Get()
  @Permit('audit:read')
  @ApiOperation({ operationId: 'listAuditLog' })
  @ApiExtraModels(AuditLogPage, AuditLogEntry)
  @ApiOkResponse({
    description: 'A page of entries, or all entries that match as JSON lines.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(AuditLogPage) } },
      [JSON_LINES]: { schema: { type: 'string', description: 'One `AuditLogEntry` per line.' } },
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
   * @remarks Reads every entry of the tenant and compares it with its hash, with the previous entry, and with the anchors kept outside the
   * database (`AUDIT_ANCHORS=on`). Names the first entry that was changed, removed, moved or inserted. Entries removed at the end are detected
   * only with an anchor.
   */
  @Get('verify')
  @Permit('audit:read', { outsider: 'not_found' })
  @ApiOperation({ operationId: 'verifyAuditLog' })
  verify(@Ctx() ctx: RequestContext, @Res({ passthrough: true }) reply: FastifyReply): Promise<AuditLogVerification> {
    return this.log.verify(ctx, callerSignal(reply));
  }
}
