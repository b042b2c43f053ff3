import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath, OmitType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsObject,
  IsOptional,
  IsUUID,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import {
  Choice,
  Decimal,
  Flag,
  IfPresent,
  Integer,
  Nested,
  NestedList,
  Text,
  TolerateUnknownFields,
  Uuid,
} from '#libs/http';
import { SearchOptionsDto, TOP_K_MAX } from '../../retrieval/index.js';
import { datasetIdOf } from './dataset-model.js';
import { joinTextParts, unreadPart } from './text-parts.js';
import { OpenAiOptions } from './openai-options.dto.js';

/** `tool` and `function` are results of tools, which earlier turns of a conversation may hold; they are ignored. */
export const CHAT_ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const;
export type ChatRole = (typeof CHAT_ROLES)[number];
export const GROUNDING_MODES = ['off', 'annotate', 'strict'] as const;
export type GroundingMode = (typeof GROUNDING_MODES)[number];

export const MAX_MESSAGES = 200;
const MAX_CONTENT_LENGTH = 100_000;
const MAX_DATASETS = 50;
/** The most tokens of an answer that a request can ask for. */
export const MAX_ANSWER_TOKENS = 32_768;
export const SOURCES_DEFAULT = 8;

/** A text part of a message, as OpenAI's clients send them. */
export class ChatTextPart {
  /** Always `text`. */
  @ApiProperty({ enum: ['text'] })
  type!: 'text';

  /** Text of the part. */
  @ApiProperty({ type: String, maxLength: MAX_CONTENT_LENGTH })
  text!: string;
}

/** A message of the conversation. */
@ApiExtraModels(ChatTextPart)
export class ChatMessageDto {
  /**
   * Author of the message. `developer` means the same as `system`; messages of `tool` and `function` are ignored. The last message must be the
   * user's.
   */
  @Choice(CHAT_ROLES)
  role!: ChatRole;

  /**
   * Text of the message, as a string or as text parts, which are joined with line breaks. Other kinds of parts are refused. Messages without text
   * are ignored, since clients send them for answers that were stopped, declined or left to a tool; the last message must contain more than white
   * space. null or left out: no text.
   */
  @ApiPropertyOptional({
    nullable: true,
    oneOf: [
      { type: 'string', maxLength: MAX_CONTENT_LENGTH },
      { type: 'array', items: { $ref: getSchemaPath(ChatTextPart) } },
    ],
    example: 'How long is the notice period?',
  })
  @Transform(({ value }: { value: unknown }) => joinTextParts(value))
  @IfPresent()
  @ValidateBy({
    name: 'isContent',
    validator: {
      validate: (value) => typeof value === 'string' && value.length <= MAX_CONTENT_LENGTH,
      defaultMessage: (args) =>
        (Array.isArray(args?.value) ? unreadPart(args.value) : undefined) ??
        `content must be text of at most ${MAX_CONTENT_LENGTH} characters, or a list of parts {type: "text", text}`,
    },
  })
  content?: string;
}

/** How the sources of the answer are searched: the options of `POST /retrieval/search`. */
export class ChatRetrievalOptions extends OmitType(SearchOptionsDto, ['include'] as const) {
  /**
   * Maximum number of fragments that the search returns. The model is given at most 20 of them, each whole, as far as they fit into its context;
   * the others are named in the warning `CONTEXT_BUDGET`. Default of this and the other options: `retrieval_defaults` of the datasets' ingestion
   * policies, where they are set.
   */
  @Integer({ optional: true, min: 1, max: TOP_K_MAX, default: SOURCES_DEFAULT })
  top_k?: number;
}

/** Options of a stream. */
export class ChatStreamOptions {
  /**
   * Whether to add a last chunk with empty `choices` and the usage, as OpenAI does. The chunk before `[DONE]` contains the usage in any case. null
   * or left out: false.
   */
  @Flag({ optional: true, nullable: true, default: false })
  include_usage?: boolean | null;

  /**
   * Whether the answer is completed when the reader disconnects, for at most 30 seconds, so that `Last-Event-ID` can fetch the rest. Otherwise the
   * model is stopped at once. null or left out: false.
   */
  @Flag({ optional: true, nullable: true, default: false })
  resumable?: boolean | null;
}

/** As in OpenAI's API, `stream_options` without `stream` is an error of the client. */
function OnlyWithStream(): PropertyDecorator {
  return ValidateBy({
    name: 'onlyWithStream',
    validator: {
      validate: (_value, args) => (args?.object as ChatCompletionRequest | undefined)?.stream === true,
      defaultMessage: () => 'stream_options is only allowed with "stream": true: leave it out or ask for a stream',
    },
  });
}

/** A question about the documents of datasets: OpenAI's chat completion request with `dataset_ids` and options of this service. */
@TolerateUnknownFields(['retrieval'])
export class ChatCompletionRequest extends OpenAiOptions {
  /** Messages of the conversation, oldest first, 1 to 200. The last one is the question; the earlier ones give a follow-up question its context. */
  @NestedList(ChatMessageDto, { min: 1, max: MAX_MESSAGES })
  messages!: ChatMessageDto[];

  /**
   * Identifiers of the datasets to answer from, 1 to 50; each must be visible to the caller. Required unless `model` names a dataset: then omit
   * it, or give that dataset alone.
   */
  @ApiPropertyOptional({ type: [String], format: 'uuid', minItems: 1, maxItems: MAX_DATASETS })
  @ValidateIf(
    ({ model, dataset_ids }: ChatCompletionRequest) => dataset_ids !== undefined || datasetIdOf(model) === undefined,
  )
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_DATASETS)
  @IsUUID(undefined, { each: true })
  dataset_ids?: string[];

  /**
   * Identifier of a conversation of the caller (`POST /conversations`) that keeps question and answer. The earlier turns are taken from it:
   * `messages` contains the question alone, after system messages if any. Parts of earlier answers that the caller may no longer see are left out.
   * A conversation of another caller is 404. null or left out: question and answer belong to no conversation.
   */
  @Uuid({ optional: true, nullable: true })
  conversation_id?: string | null;

  /** Whether the answer is sent in pieces, as server-sent events; null or left out: false. */
  @Flag({ optional: true, nullable: true, default: false })
  stream?: boolean | null;

  /**
   * Name of a chat model of `GET /models`, or `default`; if omitted, the configured model answers. `dataset:<id>` is a chat over that dataset, for
   * clients that cannot send `dataset_ids`. An unknown name is 404, and so is a dataset that is not visible to the caller. null: as if omitted.
   */
  @Text({ optional: true, nullable: true, max: 200, example: 'default' })
  model?: string | null;

  /** Sampling temperature, 0 to 2; ignored by models without randomness, such as the built-in one. null or left out: 0.1. */
  @Decimal({ optional: true, nullable: true, min: 0, max: 2, default: 0.1 })
  temperature?: number | null;

  /** Maximum number of tokens of the answer; lowered to the model's own limit. null or left out: the limit of the model. */
  @Integer({ optional: true, nullable: true, min: 1, max: MAX_ANSWER_TOKENS })
  max_tokens?: number | null;

  /** OpenAI's newer name of `max_tokens`; takes precedence when both are given. null or left out: `max_tokens` applies. */
  @Integer({ optional: true, nullable: true, min: 1, max: MAX_ANSWER_TOKENS })
  max_completion_tokens?: number | null;

  /** Options of the search for sources. */
  @Nested(() => ChatRetrievalOptions, { optional: true })
  retrieval?: ChatRetrievalOptions;

  /**
   * How statements that no source supports are treated. `annotate` lists them in `grounding`. `strict` shows a sentence, list item or code block
   * only when it is complete and supported; an answer with nothing left is refused. With `strict`, instructions in documents about how to answer
   * support nothing. `off` does not check.
   */
  @Choice(GROUNDING_MODES, { optional: true, default: 'annotate' })
  grounding?: GroundingMode;

  /** Options of a stream; refused with 422 unless `stream` is true, as OpenAI does. null is the same as omitting it. */
  @ApiPropertyOptional({ type: () => ChatStreamOptions, nullable: true })
  @IsOptional()
  @OnlyWithStream()
  @IsObject()
  @ValidateNested()
  @Type(() => ChatStreamOptions)
  stream_options?: ChatStreamOptions | null;
}
