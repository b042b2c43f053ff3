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
  /**
   * Background work of all processes: `detail` has the processes that carry it out, what waits by kind and reason, and role and version of the process that
   * answers. `down` while no process works, `degraded` while the bell of the queue does not answer.
   */
  task_queue!: ComponentHealthDto;
  /** Where uploads are received. */
  upload_directory!: ComponentHealthDto;
  /** Delivery of events to modules; `degraded` while events are parked that a subscriber failed to take, which are then counted here. */
  event_delivery!: ComponentHealthDto;
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

/** How far vectors are trusted for questions of a language. */
export class LanguageTrustDto {
  /** BCP 47 tag. */
  @ApiProperty({ example: 'de' })
  language!: string;

  /** 0.1, where the model tells passages that answer a question from others no better than by chance, to 1. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  trust!: number;
}

/** The embedding model that is in use. */
export class EmbeddingHealthDto extends ModelHealthDto {
  /**
   * By language how far its vectors count beside words, as measured on probe texts when the model was installed; null for a hashed
   * embedding, which is not measured, and before the measurement. A language that is missing here is measured on the datasets asked.
   */
  @ApiProperty({ type: [LanguageTrustDto], nullable: true })
  trust!: LanguageTrustDto[] | null;

  /** Why it stands for a better model that was meant, and what to do about it; null where nothing is amiss. */
  @ApiProperty({ type: String, nullable: true, example: null })
  instead_of!: string | null;

  /** What it does not know, and the command that names a better one; null where there is nothing to say. */
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'meaning of English only; models for other languages: npm run model -- recommend',
  })
  advice!: string | null;
}

/** Models in use. */
export class HealthModelsDto {
  /** Makes vectors. */
  embedding!: EmbeddingHealthDto;
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

  /**
   * How files of strangers are kept apart while they are read. `namespaces`: the parser's processes see neither the data folder,
   * nor other processes, nor a network; `limits`: memory, time and open files are limited, and nothing more. With
   * `ROLE=api` these are the processes that look at single pages. Null: not known.
   */
  @ApiProperty({ enum: ['namespaces', 'limits'], nullable: true, example: 'namespaces' })
  parser_isolation!: 'namespaces' | 'limits' | null;
}
