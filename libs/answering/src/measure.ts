/** So much of something: in minutes where it is a time. */
export interface Measure {
  readonly value: number;
  /** The stem of its unit; `time` for all units of time. */
  readonly unit: string;
  /** Of a time: how great its unit is among those of time, 0 for minutes. */
  readonly step?: number;
  /** Whether the question asks for permission with this quantity (“I weigh 135 kg, may I …”): then any limit in its unit is an answer, kept or not. */
  readonly isJudged?: boolean;
}

/** All quantities of a unit from `least` to `most`, both included. */
export interface Range extends Pick<Measure, 'unit' | 'step'> {
  readonly least: number;
  readonly most: number;
}
