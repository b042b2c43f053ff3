import { ApiProperty } from '@nestjs/swagger';

/** Liveness. */
export class LivenessDto {
  /** Always true: the process answers. */
  @ApiProperty({ example: true })
  ok!: boolean;

  /** State. */
  @ApiProperty({ enum: ['ok'], example: 'ok' })
  status!: string;
}

/** Readiness. Which dependency failed is not told here. */
export class ReadinessDto {
  /** Whether requests can be served. */
  ok!: boolean;

  /** State. */
  @ApiProperty({ enum: ['ready', 'unready'] })
  status!: string;
}

/** One dependency. */
export class ComponentHealthDto {
  /** State. */
  @ApiProperty({ enum: ['up', 'down', 'degraded', 'disabled'] })
  status!: string;

  /** How long the look took. */
  latency_ms!: number;

  /** Kind of the dependency, or why it is down. */
  @ApiProperty({ type: String, nullable: true })
  detail!: string | null;
}

/** Every dependency by its name. */
export class HealthComponentsDto {
  /** PostgreSQL. */
  database!: ComponentHealthDto;
  /** The vector store. */
  vector_backend!: ComponentHealthDto;
  /** The cache. */
  cache!: ComponentHealthDto;
  /** Where files are kept. */
  object_storage!: ComponentHealthDto;
  /** Whether the first search will be fast. */
  retrieval_warmup!: ComponentHealthDto;
  /** The queue of background work. */
  task_queue!: ComponentHealthDto;
  /** Where uploads are received. */
  upload_directory!: ComponentHealthDto;
}

/** A model that is in use. */
export class ModelHealthDto {
  /** Setting value of the provider. */
  provider!: string;

  /** Name of the model. */
  model!: string;

  /** What it is: for instance `hashed` or `semantic`, `extractive` or `generative`. */
  kind!: string;
}

/** Models in use. */
export class HealthModelsDto {
  /** Makes vectors. */
  embedding!: ModelHealthDto;
  /** Reranks results. */
  rerank!: ModelHealthDto;
  /** Writes answers. */
  chat!: ModelHealthDto;
}

/** Details for administrators. */
export class HealthDetailsDto {
  /** The worst state among the components. */
  @ApiProperty({ enum: ['up', 'down', 'degraded'] })
  status!: string;

  /** Every dependency by its name. */
  components!: HealthComponentsDto;

  /** Models in use. */
  models!: HealthModelsDto;
}
