import { ApiProperty } from '@nestjs/swagger';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** One kind of error. */
export class ErrorEntryDto {
  /** Stable code, as in the `code` of an error body. */
  @ApiProperty({ example: 'datasets.name_taken' })
  code!: string;

  /** HTTP status. */
  @ApiProperty(COUNT)
  status!: number;

  /** What it means, in short. */
  title!: string;
}

/** Every error that the service can answer with. */
export class ErrorCatalogueDto {
  /** The entries. */
  @ApiProperty({ type: [ErrorEntryDto] })
  items!: ErrorEntryDto[];

  /** Number of entries. */
  @ApiProperty(COUNT)
  total!: number;
}

/** How many requests of a class are served. */
export class RateLimitDto {
  /** Class of routes. */
  @ApiProperty({ example: 'search' })
  name!: string;

  /** Requests in a window of one account or API key, or of one address without either; 0: any number. */
  @ApiProperty(COUNT)
  limit!: number;

  /** Requests in a window of all members and API keys of a tenant together; 0: any number. */
  @ApiProperty(COUNT)
  tenant_limit!: number;

  /** Length of a window in seconds. */
  @ApiProperty(COUNT)
  window_seconds!: number;
}

/** How many refused credentials of one network are looked at. */
export class RefusedCredentialLimitsDto {
  /** Refused credentials in a window; further ones that were not accepted lately are answered 429. */
  @ApiProperty(COUNT)
  limit!: number;

  /** Length of a window in seconds. */
  @ApiProperty(COUNT)
  window_seconds!: number;
}

/** Limits of uploads. */
export class UploadLimitsDto {
  /** Largest file in bytes. */
  @ApiProperty(COUNT)
  max_bytes!: number;

  /** Most bytes of a form's text field. */
  @ApiProperty(COUNT)
  max_field_bytes!: number;

  /** Most bytes of all text fields of a form together. */
  @ApiProperty(COUNT)
  max_fields_bytes!: number;

  /** An upload that brings less than 16 KiB while it is waited for so many seconds is answered 408. */
  @ApiProperty(COUNT)
  idle_seconds!: number;
}

/** Limits of connections. */
export class ConnectionLimitsDto {
  /** Connections of one address (IPv6: of its /64) that no accepted credential came over. */
  @ApiProperty(COUNT)
  max_anonymous_per_address!: number;
}

/** Limits of lists and searches. */
export class PagingLimitsDto {
  /** Rows of a page when the request names none. */
  @ApiProperty(COUNT)
  default_limit!: number;

  /** Most rows of a page. */
  @ApiProperty(COUNT)
  max_limit!: number;
}

/** Limits of a search. */
export class SearchLimitsDto {
  /** Longest query in characters. */
  @ApiProperty(COUNT)
  max_query_length!: number;

  /** Most datasets of one search. */
  @ApiProperty(COUNT)
  max_dataset_ids!: number;

  /** Fragments when the request names no number. */
  @ApiProperty(COUNT)
  default_top_k!: number;

  /** Most fragments. */
  @ApiProperty(COUNT)
  max_top_k!: number;
}

/** Limits of what may be kept. */
export class StorageLimitsDto {
  /** Most bytes of original files that a tenant may keep, all revisions together; null: no limit. `GET /usage` says what it keeps. */
  @ApiProperty({ ...COUNT, nullable: true })
  tenant_bytes!: number | null;

  /** Bytes of the disk that stay free: with less, uploads are answered 507. 0: nothing is kept free. */
  @ApiProperty(COUNT)
  reserve_bytes!: number;
}

/** Limits of JSON bodies. */
export class JsonLimitsDto {
  /** Largest body in bytes. */
  @ApiProperty(COUNT)
  max_bytes!: number;

  /** Largest body without an accepted credential, and of every route under `/auth/`. */
  @ApiProperty(COUNT)
  max_bytes_small!: number;

  /** Largest body of an import. */
  @ApiProperty(COUNT)
  max_bytes_import!: number;

  /** Most values: objects, lists, texts, numbers, true, false, null. */
  @ApiProperty(COUNT)
  max_values!: number;

  /** Most objects and lists within each other. */
  @ApiProperty(COUNT)
  max_depth!: number;

  /** In how many seconds a body must have arrived. */
  @ApiProperty(COUNT)
  timeout_seconds!: number;
}

/** How many streams may be open at once. */
export class StreamLimitsDto {
  /** Of one account or API key; 0: no limit. */
  @ApiProperty(COUNT)
  per_principal!: number;

  /** Of all members and API keys of a tenant together; 0: no limit. */
  @ApiProperty(COUNT)
  per_tenant!: number;
}

/** Limits of conversations that the service keeps. */
export class ConversationLimitsDto {
  /** Most conversations of one account or API key. */
  @ApiProperty(COUNT)
  per_owner!: number;

  /** Most turns of a conversation. */
  @ApiProperty(COUNT)
  turns!: number;

  /** Days after its last turn that a conversation is removed. */
  @ApiProperty(COUNT)
  kept_days!: number;
}

/** All limits in force. */
export class LimitsDto {
  /** Whether requests are counted and refused. */
  rate_limits_enabled!: boolean;

  /** Rates by class of routes. */
  @ApiProperty({ type: [RateLimitDto] })
  rate_limits!: RateLimitDto[];

  /** Refused credentials of one network: an IPv4 address, an IPv6 /64. */
  refused_credentials!: RefusedCredentialLimitsDto;

  /** Limits of uploads. */
  upload!: UploadLimitsDto;

  /** Limits of connections. */
  connections!: ConnectionLimitsDto;

  /** Limits of streams. */
  streams!: StreamLimitsDto;

  /** Limits of conversations. */
  conversations!: ConversationLimitsDto;

  /** Limits of lists. */
  paging!: PagingLimitsDto;

  /** Limits of searches. */
  search!: SearchLimitsDto;

  /** What may be kept. */
  @ApiProperty({ type: StorageLimitsDto })
  storage!: StorageLimitsDto;

  /** Limits of JSON bodies. */
  json!: JsonLimitsDto;

  /** Largest JSON body in bytes; the same as `json.max_bytes`. */
  @ApiProperty(COUNT)
  max_json_body_bytes!: number;
}
