import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

export const MODEL_PORTS = ['chat', 'embedding', 'rerank'] as const;
export type ModelPort = (typeof MODEL_PORTS)[number];

export class ListModelsQuery {
  /** Only models of this kind. */
  @ApiPropertyOptional({ enum: MODEL_PORTS })
  @IsOptional()
  @IsIn(MODEL_PORTS)
  port?: ModelPort;
}

/** A model of this service, or a dataset that answers like one. */
export class Model {
  /**
   * Its name; `dataset:<id>` is a chat over one dataset, `default` another name of the first.
   * @example "builtin-extractive-v1"
   */
  id!: string;

  /** Always `model`. */
  @ApiProperty({ enum: ['model'] })
  object!: 'model';

  /** Since when this service offers it, in Unix seconds. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  created!: number;

  /**
   * Who provides it; of a dataset the account that owns it.
   * @example "builtin"
   */
  owned_by!: string;

  /** What it is for. Only `chat` can be the `model` of a chat completion, only `embedding` that of an ingestion policy. */
  @ApiProperty({ enum: MODEL_PORTS })
  port!: ModelPort;

  /**
   * What people call it: of a dataset its name, of a model its provider and the provider's name for it; of one that embeds the name
   * that `embedding.model` of a dataset shows.
   * @example "builtin-extractive-v1"
   */
  name!: string;
}

/** The models, in the shape of OpenAI's `GET /models`. */
export class ModelList {
  /** Always `list`. */
  @ApiProperty({ enum: ['list'] })
  object!: 'list';

  /** The models, those for chats first; `default` is another name of the first. */
  @ApiProperty({ type: [Model] })
  data!: Model[];
}
