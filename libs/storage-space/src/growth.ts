/**
 * What a byte of an uploaded file takes on our volume once it is ingested, by what lies there. Measured with plain text, which
 * grows most, at the default chunking, and reckoned for vectors of 896 numbers, as the built-in model of meaning makes them (docs/performance.md, "Disk"): the file itself, texts and vectors in PostgreSQL, vectors and
 * word index in LanceDB, each with what its upkeep needs for a while.
 */
export const GROWTH = { files: 1, database: 5, vectors: 4 } as const;

/** Which of the three lie on the volume of the data folder. */
export type LocalData = Readonly<Record<keyof typeof GROWTH, boolean>>;

/** Bytes on our volume for each byte of a file, before it is stored (`whole`) and after (`toCome`). */
export interface GrowthFactors {
  readonly whole: number;
  readonly toCome: number;
}

export function growthOf(local: LocalData): GrowthFactors {
  const toCome = (local.database ? GROWTH.database : 0) + (local.vectors ? GROWTH.vectors : 0);
  return { whole: toCome + (local.files ? GROWTH.files : 0), toCome };
}
