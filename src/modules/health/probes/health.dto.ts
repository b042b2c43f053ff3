import { Answer } from '#libs/http';

/** Liveness. */
export class LivenessDto {
  /** Always true: the process answers. */
  @Answer.Flag({ example: true })
  ok!: boolean;

  /** Always `ok`. */
  @Answer.Choice(['ok'], { example: 'ok' })
  status!: string;
}

/** Readiness. It does not say which dependency failed. */
export class ReadinessDto {
  /** Whether requests can be served. */
  ok!: boolean;

  /** `ready` if requests can be served, otherwise `unready`. */
  @Answer.Choice(['ready', 'unready'])
  status!: string;
}

/** One dependency. */
export class ComponentHealthDto {
  /** State of the dependency. */
  @Answer.Choice(['up', 'down', 'degraded', 'disabled'])
  status!: string;

  /** Duration of the check in milliseconds. */
  latency_ms!: number;

  /** Kind of the dependency, or the reason why it is down; null: nothing to add. */
  @Answer.Text({ nullable: true })
  detail!: string | null;
}

/** Every dependency by its name. */
export class HealthComponentsDto {
  /** PostgreSQL. */
  database!: ComponentHealthDto;
  /** Vector store. */
  vector_backend!: ComponentHealthDto;
  /** Cache. */
  cache!: ComponentHealthDto;
  /** Object storage, where originals are kept. */
  object_storage!: ComponentHealthDto;
  /** Preparation of the first search; until it has ended, searches may be slow. */
  retrieval_warmup!: ComponentHealthDto;
  /**
   * Background work of all processes. `detail` gives the number of workers, the numbers of waiting tasks by kind and reason, and the role
   * and version of the process that answers. `down`: no worker process is running. `degraded`: workers learn of new tasks with a delay.
   */
  task_queue!: ComponentHealthDto;
  /** Folder that receives uploads. */
  upload_directory!: ComponentHealthDto;
  /**
   * Delivery of domain events to modules. `degraded`: a subscriber could not handle some events, which are set aside; `detail` gives their
   * number.
   */
  event_delivery!: ComponentHealthDto;
}

/** A model that is in use. */
export class ModelHealthDto {
  /** Provider, as in the settings. */
  provider!: string;

  /** Name of the model. */
  model!: string;

  /** Kind of model, for instance `hashed` or `semantic`, `extractive` or `generative`. */
  kind!: string;
}

/** Weight of the vector channel for questions of one language. */
export class LanguageTrustDto {
  /** Language as a BCP 47 tag. */
  @Answer.Text({ example: 'de' })
  language!: string;

  /** Weight from 0.1 to 1; at 0.1 the model tells passages that answer a question from other passages no better than chance. */
  @Answer.Share()
  trust!: number;
}

/** The embedding model that is in use. */
export class EmbeddingHealthDto extends ModelHealthDto {
  /**
   * Weight of the vector channel compared with the word channel, by language, measured with probe texts when the model was installed; null:
   * not measured yet, or a hashed embedding, for which it is not measured. For a language that is missing here, the weight is measured on
   * the searched datasets.
   */
  @Answer.NestedList(LanguageTrustDto, { nullable: true })
  trust!: LanguageTrustDto[] | null;

  /** Why this model replaces the better one that was intended, and what to do about it; null: nothing is wrong. */
  @Answer.Text({ nullable: true, example: null })
  instead_of!: string | null;

  /** Limits of the model, and the command that recommends a better one; null: nothing to say. */
  @Answer.Text({
    nullable: true,
    example: 'meaning of English only; models for other languages: npm run model -- recommend',
  })
  advice!: string | null;
}

/** Models in use. */
export class HealthModelsDto {
  /** Model that makes vectors. */
  embedding!: EmbeddingHealthDto;
  /** Model that reranks results. */
  rerank!: ModelHealthDto;
  /** Model that writes answers. */
  chat!: ModelHealthDto;
}

/** Details for administrators. */
export class HealthDetailsDto {
  /** Worst state among the components. */
  @Answer.Choice(['up', 'down', 'degraded'])
  status!: string;

  /** Every dependency, by name. */
  components!: HealthComponentsDto;

  /** Models in use. */
  models!: HealthModelsDto;

  /**
   * How the processes that parse uploaded files are isolated. `namespaces`: they see neither the data folder, nor other processes, nor a
   * network. `limits`: only their memory, time and open files are limited. With `ROLE=api` these are the processes that read single pages.
   * null: unknown.
   */
  @Answer.Choice(['namespaces', 'limits'], { nullable: true, example: 'namespaces' })
  parser_isolation!: 'namespaces' | 'limits' | null;
}
