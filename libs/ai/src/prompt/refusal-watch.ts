import { NOT_ANSWERED } from './source-prompt.js';

/** Holds back the beginning of an answer while it may still be the word with which a model refuses. */
export class RefusalWatch {
  private held = '';
  private state: 'open' | 'refused' | 'answering' = 'open';

  /** True once the answer is known to be a refusal; nothing of it is shown. */
  get isRefusal(): boolean {
    return this.state === 'refused';
  }

  /** What may be shown after the next piece; often nothing at first. */
  push(text: string): string {
    if (this.state === 'answering') return text;
    this.held += text;
    const bare = this.held.replace(/^[\s"'*_`]+/, '');
    if (bare.startsWith(NOT_ANSWERED)) this.state = 'refused';
    if (this.isRefusal || NOT_ANSWERED.startsWith(bare)) return '';
    this.state = 'answering';
    return this.held;
  }

  /** What is left at the end: the beginning of the word is text after all. */
  flush(): string {
    return this.state === 'open' && this.held.trim() !== '' ? this.held : '';
  }
}
