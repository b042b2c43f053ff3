import type { EmbedderDescriptor } from '../embedder.port.js';

/** Vectors of pairs: of each question, and of its passage. */
export interface EmbeddedPairs {
  readonly questions: readonly Float32Array[];
  readonly passages: readonly Float32Array[];
}

/**
 * Where the vectors of a model lie on the whole: what all questions and all passages of the probe texts have in common says nothing of a
 * single one, and in a model that was trained with a low temperature it is most of every cosine. Numbers are little-endian floats of
 * four bytes, as base64.
 */
export interface MeaningCentre {
  /** Mean of the questions of all languages. */
  readonly questions: string;
  /** By language the mean of its passages. */
  readonly passages: Readonly<Record<string, string>>;
  /** By language what questions and passages about something else have once the means are taken off. */
  readonly levels: Readonly<Record<string, Level>>;
}

interface Level {
  readonly unrelated: number;
  readonly spread: number;
}

const LEAST_SPREAD = 1e-6;

type Part = Pick<EmbedderDescriptor, 'meaningFrom' | 'knows'>;

/** The centre of a model by the probe texts; of those in languages that it knows, where it says so. */
export function centreOf(embedded: ReadonlyMap<string, EmbeddedPairs>, { meaningFrom, knows }: Part): MeaningCentre {
  const known = [...embedded].filter(([language]) => knows?.includes(language) ?? true);
  const means = known.map(([language, { questions, passages }]) => {
    const mean = (vectors: readonly Float32Array[]): Float64Array => meanOf(vectors.map((v) => partOf(v, meaningFrom)));
    return { language, questions: mean(questions), passages: mean(passages) };
  });
  const asked = meanOf(means.map(({ questions }) => questions));
  const told = meanOf(means.map(({ passages }) => passages));
  const levels = known.map(([language, { questions, passages }]) => {
    const ones = questions.map((vector) => turned(partOf(vector, meaningFrom), asked));
    const others = passages.map((vector) => turned(partOf(vector, meaningFrom), told));
    return [language, levelOf(ones, others)] as const;
  });
  return {
    questions: written(asked),
    passages: Object.fromEntries(means.map(({ language, passages }) => [language, written(passages)])),
    levels: Object.fromEntries(levels),
  };
}

/**
 * How alike passages are to one question in meaning, in spreads of unrelated texts above their level. A passage in another language is
 * moved by half of what parts the two languages, so that those in the question's stay a little ahead.
 */
export class Likeness {
  /** Whether the question's vector says anything: a model gives zeros for what it does not read. */
  readonly isMeant: boolean;
  private readonly asked: Float64Array;
  private readonly level: Level;
  private readonly centres = new Map<string, Float64Array>();

  /** `language` is that of the question; where the model was not measured in it, the mean of all languages represents it. */
  constructor(
    private readonly centre: MeaningCentre,
    private readonly from: number | undefined,
    question: Float32Array,
    private readonly language: string,
  ) {
    const part = partOf(question, from);
    this.isMeant = part.some((value) => value !== 0);
    this.asked = turned(part, read(centre.questions));
    const all = Object.values(centre.levels);
    const mean = (value: (level: Level) => number): number =>
      all.reduce((sum, one) => sum + value(one), 0) / Math.max(1, all.length);
    const unrelated = mean((one) => one.unrelated);
    const own = centre.levels[language]?.unrelated ?? unrelated;
    this.level = { unrelated: (own + unrelated) / 2, spread: mean(({ spread }) => spread) };
  }

  /** 0 or less: no more alike than texts about something else. A vector without meaning (all zeros) is alike to nothing. */
  of(passage: Float32Array, language: string): number {
    const part = partOf(passage, this.from);
    if (part.every((value) => value === 0)) return 0;
    const cosine = dot(this.asked, turned(part, this.centreOf(language)));
    return (cosine - this.level.unrelated) / Math.max(LEAST_SPREAD, this.level.spread);
  }

  private centreOf(language: string): Float64Array {
    let centre = this.centres.get(language);
    if (centre === undefined) {
      const { passages } = this.centre;
      const all = meanOf(Object.values(passages).map(read));
      const [own, other] = [passages[this.language], passages[language]].map((one) => (one ? read(one) : all));
      centre = all.map((value, at) => value + (other![at]! - own![at]!) / 2);
      this.centres.set(language, centre);
    }
    return centre;
  }
}

function partOf(vector: Float32Array, from = 0): Float32Array {
  return from === 0 ? vector : vector.subarray(from);
}

/** What is left of a vector without the centre, of length 1. */
function turned(vector: Float32Array, centre: Float64Array): Float64Array {
  const unit = lengthened(Float64Array.from(vector));
  return lengthened(unit.map((value, at) => value - centre[at]!));
}

function lengthened(vector: Float64Array): Float64Array {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Of vectors, each taken as of length 1 where it is one of a text. */
function meanOf(vectors: readonly (Float32Array | Float64Array)[]): Float64Array {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    const one = vector instanceof Float32Array ? lengthened(Float64Array.from(vector)) : vector;
    for (const [at, value] of one.entries()) sum[at]! += value;
  }
  return sum.map((value) => value / Math.max(1, vectors.length));
}

function levelOf(questions: readonly Float64Array[], passages: readonly Float64Array[]): Level {
  const all = questions.flatMap((one, at) =>
    passages.filter((_, other) => other !== at).map((other) => dot(one, other)),
  );
  const unrelated = all.reduce((sum, value) => sum + value, 0) / all.length;
  const variance = all.reduce((sum, value) => sum + (value - unrelated) ** 2, 0) / all.length;
  return { unrelated, spread: Math.max(LEAST_SPREAD, Math.sqrt(variance)) };
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += one[at]! * other[at]!;
  return sum;
}

function written(vector: Float64Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, at) => bytes.writeFloatLE(value, at * 4));
  return bytes.toString('base64');
}

function read(text: string): Float64Array {
  const bytes = Buffer.from(text, 'base64');
  return Float64Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}
