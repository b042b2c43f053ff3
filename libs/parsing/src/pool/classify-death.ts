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

/** The error of the document that a child was working on when it died. */
export function classifyDeath(death: ChildDeath): ParseError {
  if (death.killedFor === 'deadline' || death.signal === 'SIGXCPU') {
    return new ParseError('PARSER_TIMEOUT', 'The document took too long to read; split it or simplify its layout.');
  }
  if (death.killedFor === 'memory' || OUT_OF_MEMORY.test(death.stderr)) {
    return new ParseError(
      'PARSER_MEMORY',
      'The document needs more memory than a parser may use; split it into smaller files.',
    );
  }
  if (death.killedFor === 'close') return new ParseError('PARSER_CRASHED', 'The service is stopping; try again later.');
  const how = death.signal === null ? `exit code ${death.exitCode}` : `signal ${death.signal}`;
  return new ParseError(
    'PARSER_CRASHED',
    `The parser ended unexpectedly (${how}); try again, or save the document anew.`,
  );
}
