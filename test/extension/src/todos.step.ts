import { Injectable } from '@nestjs/common';
import { IngestionStep, type ParsedState, type StepAttempt, type StepOutput } from 'knowledge-base-service/extension';

const MARK = 'TODO';
/** Code units of a line that are kept. */
const LONGEST = 500;

/** Keeps the lines of a document that begin with TODO. */
@Injectable()
@IngestionStep({ name: 'acme_notes_todos', at: 'after_parsing', tables: ['acme_notes_todos'], onFailure: 'warn' })
export class TodosStep implements IngestionStep<'after_parsing'> {
  async *run({ signal }: StepAttempt, state: ParsedState): AsyncGenerator<StepOutput> {
    let line = '';
    let lineStart = 0;
    for await (const { start, text } of state.segments()) {
      signal.throwIfAborted();
      const rows: { text_start: number; body: string }[] = [];
      let from = 0;
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
        line += text.slice(from, Math.min(end, from + LONGEST));
        if (line.startsWith(MARK)) rows.push({ text_start: lineStart, body: shorten(line) });
        from = end + 1;
        line = '';
        lineStart = start + from;
      }
      line = (line + text.slice(from, from + LONGEST)).slice(0, LONGEST);
      if (rows.length > 0) yield { kind: 'rows', table: 'acme_notes_todos', rows };
    }
    if (line.startsWith(MARK)) {
      yield { kind: 'rows', table: 'acme_notes_todos', rows: [{ text_start: lineStart, body: shorten(line) }] };
    }
  }
}

/** The beginning of a line, without half a surrogate pair at its end. */
function shorten(line: string): string {
  return line.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/u, '').trimEnd();
}
