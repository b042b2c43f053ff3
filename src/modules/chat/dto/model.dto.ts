import { ApiProperty } from '@nestjs/swagger';

/** A model that `model` of a chat completion may name. */
export class Model {
  /**
   * Its name.
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
   * Who provides it.
   * @example "builtin"
   */
  owned_by!: string;
}

/** The models, in the shape of OpenAI's `GET /models`. */
export class ModelList {
  /** Always `list`. */
  @ApiProperty({ enum: ['list'] })
  object!: 'list';

  /** The models. `default` is accepted as another name of the first. */
  @ApiProperty({ type: [Model] })
  data!: Model[];
}
