import type { ParseWarning } from '../document-parser.port.js';
import type { ParseOutput } from '../output/parse-output.js';
import type { HiddenPolicy } from '../sheets/hidden-cells.js';

/** Slides that a presentation does not show, and shapes that slides do not. */
export class HiddenSlides {
  count = 0;
  /** Paragraphs of shapes. */
  shapes = 0;
  readonly policy: HiddenPolicy;
  private readonly output: ParseOutput;
  private start: number | undefined;

  constructor(output: ParseOutput, policy: HiddenPolicy = 'include') {
    this.output = output;
    this.policy = policy;
  }

  /** Counts a hidden slide before it is written; false: it is not to be. */
  begin(): boolean {
    this.count += 1;
    if (this.policy === 'exclude') return false;
    this.start = this.output.position;
    return true;
  }

  /** Counts texts of shapes that are not shown, before their slide is written. */
  noteShapes(texts: readonly string[]): void {
    this.shapes += texts.length;
    if (this.policy === 'include') for (const text of texts) this.output.noteUnseen(text, 'unseen_style');
  }

  /** Says, once a slide has been written, that its text is not seen where it is hidden. */
  end(): void {
    const { start } = this;
    this.start = undefined;
    const end = this.output.position;
    if (start !== undefined && end > start) this.output.addUnseen({ start, end, look: 'unseen_style' });
  }

  warnings(): ParseWarning[] {
    if (this.count === 0 && this.shapes === 0) return [];
    const fate =
      this.policy === 'exclude' ? 'were left out' : 'are in the text; `parsing.hidden: exclude` leaves them out';
    return [
      {
        code: 'HIDDEN_SLIDES',
        detail: `${this.count} slides and ${this.shapes} texts of shapes that the presentation does not show ${fate}.`,
      },
    ];
  }
}
