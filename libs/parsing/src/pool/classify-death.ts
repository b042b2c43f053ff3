import { constants } from 'node:os';
import { ParseError } from '../parse-error.js';

/** What is known about the end of a child that owed an answer. */
export interface ChildDeath {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** The last lines that the child wrote to its error output; never shown to anybody. */
  stderr: string;
  /** Why the parent killed it, if it did. */
  killedFor?: 'deadline' | 'memory' | 'close';
}

const OUT_OF_MEMORY = /out of memory|allocation failed|bad_alloc|cannot allocate memory|memory allocation/i;

/** A shell ends with this and the number of the signal that ended its program. */
const SIGNAL_STATUS = 128;

/** The error of the document that a child was working on when it died. */
export function classifyDeath(death: ChildDeath): ParseError {
  const signal = signalOf(death);
  if (death.killedFor === 'deadline' || signal === 'SIGXCPU') {
    return new ParseError('PARSER_TIMEOUT', 'The document took too long to read; split it or simplify its layout.');
  }
  if (death.killedFor === 'memory' || OUT_OF_MEMORY.test(death.stderr)) {
    return new ParseError(
      'PARSER_MEMORY',
      'The document needs more memory than a parser may use; split it into smaller files.',
    );
  }
  if (death.killedFor === 'close') return new ParseError('PARSER_CRASHED', 'The service is stopping; try again later.');
  const how = signal === null ? `exit code ${death.exitCode}` : `signal ${signal}`;
  return new ParseError(
    'PARSER_CRASHED',
    `The parser ended unexpectedly (${how}); try again, or save the document again in its program.`,
  );
}

/** The signal that ended the parser, which a sandbox tells by its status. */
function signalOf({ exitCode, signal }: ChildDeath): string | null {
  if (signal !== null || exitCode === null) return signal;
  const names = Object.entries(constants.signals);
  return names.find(([, number]) => number === exitCode - SIGNAL_STATUS)?.[0] ?? null;
}
