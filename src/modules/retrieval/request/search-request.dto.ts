import { Integer, Text, Uuids } from '#libs/http';
import { TOP_K_MAX } from '../../ingestion-policy/index.js';
import { SearchOptionsDto, TOP_K_DEFAULT } from './search-options.dto.js';

export const QUERY_MAX = 4096;
export const DATASETS_MAX = 50;

/** A search over datasets. */
export class SearchRequestDto extends SearchOptionsDto {
  /**
   * Text to search for, in any language: a question, words, an identifier. Nothing in it is read as an operator.
   * @example "How long is the notice period?"
   */
  @Text({ filled: true, max: QUERY_MAX, example: 'How long is the notice period?' })
  query!: string;

  /** Identifiers of the datasets to search, 1 to 50; each must be visible to the caller. */
  @Uuids({ min: 1, max: DATASETS_MAX })
  dataset_ids!: string[];

  /**
   * Maximum number of results. For this and all options below: an option that the request does not set takes its value from
   * `retrieval_defaults` of the datasets' ingestion policies, if these agree; otherwise the default given here applies.
   */
  @Integer({ optional: true, min: 1, max: TOP_K_MAX, default: TOP_K_DEFAULT })
  top_k?: number;
}
