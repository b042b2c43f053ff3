import type { ExplainLab, LabQuestion } from '../../testing/explain-lab.js';
import type { ExplainCode } from '../explain-codes.js';

/** One way in which a search can miss something. */
export interface Miss {
  readonly code: ExplainCode;
  /** How, as the rest of a sentence. */
  readonly name: string;
  /** A change of the request exists that returns it, and must be found. */
  readonly isHelped?: boolean;
  /** Where the words of all chunks are kept in memory it is no miss: it is found there by words and by hashed vectors, whatever the store has lost. */
  readonly isFoundByWords?: boolean;
  /** Builds the miss, and asks about it. */
  readonly make: (lab: ExplainLab) => Promise<LabQuestion>;
}

export const PUMP = 'The hydraulic pump must be serviced every 500 hours by a technician.';
export const VALVE = 'The safety valve opens at a pressure of 12 bar.';
export const INVOICE = 'Invoices are paid within thirty days of their receipt.';
export const CANTEEN = 'The canteen serves soup on Mondays and fish on Fridays.';
export const QUESTION = 'When is the hydraulic pump serviced?';
