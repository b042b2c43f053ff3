import { Choice, Decimal, Integer, Nested, Text } from '#libs/http';
import { GROUNDING_MODES, MAX_ANSWER_TOKENS, type GroundingMode } from '../../chat/index.js';
import { SearchOptionsDto, TOP_K_MAX } from '../../retrieval/index.js';

const MAX_VARIANT_NAME = 64;
const MAX_MODEL_NAME = 200;

/** Options of a variant's searches: any option of a search. */
export class VariantRetrievalDto extends SearchOptionsDto {
  /** Maximum number of results of a search. Default: the greatest `k`. */
  @Integer({ optional: true, min: 1, max: TOP_K_MAX })
  top_k?: number;
}

/** Options of a variant's chats, as in `POST /chat/completions`; omitted ones have the defaults of that route. */
export class VariantChatDto {
  /** Name of a chat model of `GET /models`, or `default`. */
  @Text({ optional: true, max: MAX_MODEL_NAME, described: { minLength: 1 }, default: 'default' })
  model?: string;

  /** How statements that no source supports are treated. */
  @Choice(GROUNDING_MODES, { optional: true, default: 'annotate' })
  grounding?: GroundingMode;

  /** Sampling temperature, 0 to 2. */
  @Decimal({ optional: true, min: 0, max: 2, default: 0.1 })
  temperature?: number;

  /** Probability mass that the model samples from, 0 to 1. */
  @Decimal({ optional: true, min: 0, max: 1, default: 1 })
  top_p?: number;

  /** Seed of the model: the same seed gives the same answer as far as the model supports it. */
  @Integer({ optional: true, min: -2_147_483_648, max: 2_147_483_647 })
  seed?: number;

  /** Maximum number of tokens of an answer. */
  @Integer({ optional: true, min: 1, max: MAX_ANSWER_TOKENS })
  max_tokens?: number;
}

/** One way of searching, and of answering. */
export class VariantDto {
  /**
   * Name of the variant, unique within the evaluation.
   * @example "hybrid"
   */
  @Text({ filled: true, max: MAX_VARIANT_NAME })
  name!: string;

  /** Options of the variant's searches; omitted ones have the default of `POST /retrieval/search`. */
  @Nested(() => VariantRetrievalDto, { optional: true })
  retrieval?: VariantRetrievalDto;

  /**
   * Options of the variant's chats (`{}`: their defaults): when given, every case is asked as a chat as well. The search of the chat uses the
   * options of `retrieval`, and `top_k` only where `retrieval` gives it. Needs `chat:complete`.
   */
  @Nested(() => VariantChatDto, { optional: true })
  chat?: VariantChatDto;
}
