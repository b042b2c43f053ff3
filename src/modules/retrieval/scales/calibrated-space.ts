/** Calibration and trust of the vectors of a space for one question. */
export interface SpaceCalibration {
  /** How far they are trusted, 0.1 to 1. */
  readonly trust: number;
  /** The language that this was decided for; null where it is not known. */
  readonly language: string | null;
  /** Whether by the probe texts, by a sample of the datasets, or by nothing, where there is nothing to follow. */
  readonly source: 'probes' | 'sample' | 'none';
  /** A cosine as it counts; `language` is that of the passage. Absent: as it is. */
  readonly calibration: { of(cosine: number, language: string | null): number } | null;
}

/** By embedding space; spaces of hashed embeddings are missing. */
export type Calibrations = ReadonlyMap<string, SpaceCalibration>;

export const NO_CALIBRATIONS: Calibrations = new Map();
