import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { listCatalogueEntries, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '#libs/common';
import { RATE_LIMIT_CLASSES, rateLimitsOf, Settings } from '#libs/config';
import {
  FIELD_BYTES,
  FIELDS_BYTES,
  IMPORT_BODY_BYTES,
  JSON_DEPTH_MAX,
  RATE_LIMIT_WINDOW_SECONDS,
  SMALL_BODY_BYTES,
  Unlimited,
} from '#libs/http';
import { StorageSpace } from '#libs/storage-space';
import { Permit, Public, REFUSED_WINDOW_SECONDS } from '#libs/tenancy';
import { MAX_CONVERSATIONS, MAX_TURNS } from '../modules/chat/index.js';
import {
  ConversationLimitsDto,
  ErrorCatalogueDto,
  JsonLimitsDto,
  LimitsDto,
  StorageLimitsDto,
} from './dto/description.dto.js';

@ApiTags('Description')
@Controller()
export class DescriptionController {
  constructor(
    private readonly settings: Settings,
    private readonly space: StorageSpace,
  ) {}

  /**
   * List error codes.
   * @remarks Every `code` that an error body can have, with its HTTP status.
   */
  @Get('errors')
  @ApiOperation({ operationId: 'listErrors' })
  @Public()
  @Unlimited()
  errors(): ErrorCatalogueDto {
    const items = listCatalogueEntries();
    return { items, total: items.length };
  }

  /**
   * Read the limits.
   * @remarks All limits in force: rates, sizes, paging and others.
   */
  @Get('limits')
  @ApiOperation({ operationId: 'getLimits' })
  @Permit(null)
  async limits(): Promise<LimitsDto> {
    const { rateLimits, maxUploadBytes, uploadIdleSeconds, maxAnonymousConnections } = this.settings.values;
    const { maxJsonBytes, refusedCredentialsPerMinute, maxStreamsPerPrincipal, maxStreamsPerTenant } =
      this.settings.values;
    const limits = rateLimitsOf(this.settings.values);
    return {
      rate_limits_enabled: rateLimits === 'on',
      rate_limits: RATE_LIMIT_CLASSES.map((name) => ({
        name,
        limit: limits[name].credential,
        tenant_limit: limits[name].tenant,
        window_seconds: RATE_LIMIT_WINDOW_SECONDS,
      })),
      refused_credentials: { limit: refusedCredentialsPerMinute, window_seconds: REFUSED_WINDOW_SECONDS },
      upload: {
        max_bytes: maxUploadBytes,
        max_field_bytes: FIELD_BYTES,
        max_fields_bytes: FIELDS_BYTES,
        idle_seconds: uploadIdleSeconds,
      },
      connections: { max_anonymous_per_address: maxAnonymousConnections },
      streams: { per_principal: maxStreamsPerPrincipal, per_tenant: maxStreamsPerTenant },
      conversations: this.conversationLimits(),
      paging: { default_limit: PAGE_LIMIT_DEFAULT, max_limit: PAGE_LIMIT_MAX },
      search: { max_query_length: 4096, max_dataset_ids: 50, default_top_k: 10, max_top_k: 100 },
      storage: await this.storageLimits(),
      json: this.jsonLimits(),
      max_json_body_bytes: maxJsonBytes,
    };
  }

  private conversationLimits(): ConversationLimitsDto {
    const { conversationsKeptDays } = this.settings.values;
    return { per_owner: MAX_CONVERSATIONS, turns: MAX_TURNS, kept_days: conversationsKeptDays };
  }

  private async storageLimits(): Promise<StorageLimitsDto> {
    const { tenantStorageBytes: tenant } = this.settings.values;
    const volume = await this.space.tightest();
    return { tenant_bytes: tenant === 0 ? null : tenant, reserve_bytes: volume?.reserveBytes ?? 0 };
  }

  private jsonLimits(): JsonLimitsDto {
    const { maxJsonBytes, maxJsonValues, jsonBodyTimeoutSeconds } = this.settings.values;
    return {
      max_bytes: maxJsonBytes,
      max_bytes_small: SMALL_BODY_BYTES,
      max_bytes_import: IMPORT_BODY_BYTES,
      max_values: maxJsonValues,
      max_depth: JSON_DEPTH_MAX,
      timeout_seconds: jsonBodyTimeoutSeconds,
    };
  }
}
