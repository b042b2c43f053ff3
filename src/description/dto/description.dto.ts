import { Answer } from '#libs/http';

/** One kind of error. */
export class ErrorEntryDto {
  /** Error code, as in `code` of an error body. */
  @Answer.Text({ example: 'datasets.name_taken' })
  code!: string;

  /** HTTP status. */
  @Answer.Count()
  status!: number;

  /** Meaning of the code in a few words. */
  title!: string;
}

/** Every error that the service can answer with. */
export class ErrorCatalogueDto {
  /** All error codes. */
  @Answer.NestedList(ErrorEntryDto)
  items!: ErrorEntryDto[];

  /** Number of error codes. */
  @Answer.Count()
  total!: number;
}

/** Rate limit of a class of routes. */
export class RateLimitDto {
  /** Name of the class of routes that the limits apply to. */
  @Answer.Text({ example: 'search' })
  name!: string;

  /** Maximum number of requests in a window for one account or API key, or for one address without either; 0: no limit. */
  @Answer.Count()
  limit!: number;

  /** Maximum number of requests in a window for all members and API keys of a tenant together; 0: no limit. */
  @Answer.Count()
  tenant_limit!: number;

  /** Length of a window in seconds. */
  @Answer.Count()
  window_seconds!: number;
}

/** Limits of refused credentials from one network. */
export class RefusedCredentialLimitsDto {
  /** Maximum number of refused credentials in a window. Beyond it, credentials that were not accepted recently are answered 429. */
  @Answer.Count()
  limit!: number;

  /** Length of a window in seconds. */
  @Answer.Count()
  window_seconds!: number;
}

/** Limits of uploads. */
export class UploadLimitsDto {
  /** Maximum size of a file in bytes. */
  @Answer.Count()
  max_bytes!: number;

  /** Maximum size of one text field of a form in bytes. */
  @Answer.Count()
  max_field_bytes!: number;

  /** Maximum size of all text fields of a form together in bytes. */
  @Answer.Count()
  max_fields_bytes!: number;

  /** Length in seconds of the period in which an upload must bring at least 16 KiB while the service waits for it; otherwise it is answered 408. */
  @Answer.Count()
  idle_seconds!: number;
}

/** Limits of connections. */
export class ConnectionLimitsDto {
  /** Maximum number of connections from one address (IPv6: one /64) over which no accepted credential has come. */
  @Answer.Count()
  max_anonymous_per_address!: number;
}

/** Limits of lists and searches. */
export class PagingLimitsDto {
  /** Number of rows of a page when the request sets no `limit`. */
  @Answer.Count()
  default_limit!: number;

  /** Maximum number of rows of a page. */
  @Answer.Count()
  max_limit!: number;
}

/** Limits of a search. */
export class SearchLimitsDto {
  /** Maximum length of a question in characters. */
  @Answer.Count()
  max_query_length!: number;

  /** Maximum number of datasets of one search. */
  @Answer.Count()
  max_dataset_ids!: number;

  /** Number of results when the request sets no `top_k`. */
  @Answer.Count()
  default_top_k!: number;

  /** Maximum number of results. */
  @Answer.Count()
  max_top_k!: number;
}

/** Limits of storage. */
export class StorageLimitsDto {
  /** Maximum size in bytes of all originals of a tenant, all revisions together; null: no limit. `GET /usage` shows the present size. */
  @Answer.Count({ nullable: true })
  tenant_bytes!: number | null;

  /** Disk space in bytes that must stay free: with less, uploads are answered 507; 0: none. */
  @Answer.Count()
  reserve_bytes!: number;
}

/** Limits of JSON bodies. */
export class JsonLimitsDto {
  /** Maximum size of a body in bytes. */
  @Answer.Count()
  max_bytes!: number;

  /** Maximum size in bytes of a body without an accepted credential, and of every body under `/auth/`. */
  @Answer.Count()
  max_bytes_small!: number;

  /** Maximum size of the body of an import in bytes. */
  @Answer.Count()
  max_bytes_import!: number;

  /** Maximum number of values of a body: objects, lists, texts, numbers, true, false and null. */
  @Answer.Count()
  max_values!: number;

  /** Maximum depth of nested objects and lists. */
  @Answer.Count()
  max_depth!: number;

  /** Time in seconds within which a body must have arrived. */
  @Answer.Count()
  timeout_seconds!: number;
}

/** Limits of open streams. */
export class StreamLimitsDto {
  /** Maximum number of open streams of one account or API key; 0: no limit. */
  @Answer.Count()
  per_principal!: number;

  /** Maximum number of open streams of all members and API keys of a tenant together; 0: no limit. */
  @Answer.Count()
  per_tenant!: number;
}

/** Limits of conversations that the service keeps. */
export class ConversationLimitsDto {
  /** Maximum number of conversations of one account or API key. */
  @Answer.Count()
  per_owner!: number;

  /** Maximum number of turns of a conversation. */
  @Answer.Count()
  turns!: number;

  /** Number of days after the last turn after which a conversation is removed. */
  @Answer.Count()
  kept_days!: number;
}

/** All limits in force. */
export class LimitsDto {
  /** Whether the rate limits are enforced. */
  rate_limits_enabled!: boolean;

  /** Rate limits by class of routes. */
  @Answer.NestedList(RateLimitDto)
  rate_limits!: RateLimitDto[];

  /** Limits of refused credentials from one network: an IPv4 address or an IPv6 /64. */
  refused_credentials!: RefusedCredentialLimitsDto;

  /** Limits of uploads. */
  upload!: UploadLimitsDto;

  /** Limits of connections. */
  connections!: ConnectionLimitsDto;

  /** Limits of streams. */
  streams!: StreamLimitsDto;

  /** Limits of conversations that the service keeps. */
  conversations!: ConversationLimitsDto;

  /** Limits of the pages of lists. */
  paging!: PagingLimitsDto;

  /** Limits of searches. */
  search!: SearchLimitsDto;

  /** Limits of storage space. */
  @Answer.Nested(StorageLimitsDto)
  storage!: StorageLimitsDto;

  /** Limits of JSON bodies. */
  json!: JsonLimitsDto;

  /** Maximum size of a JSON body in bytes; the same as `json.max_bytes`. */
  @Answer.Count()
  max_json_body_bytes!: number;
}
