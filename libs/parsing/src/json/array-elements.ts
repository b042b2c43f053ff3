/** An element longer than this is handed on in pieces, which are no valid JSON then. */
const MAX_ELEMENT_UNITS = 16 * 1024 * 1024;

/**
 * Cuts a stream of JSON text whose outermost value is an array into the texts of its elements. Knows brackets and strings
 * only: whether an element is valid is for others to find out. What comes after the array is one more element.
 */
export class ArrayElements {
  private readonly onElement: (text: string) => void;
  private element: string[] = [];
  private units = 0;
  private depth = 0;
  private isInString = false;
  private isEscaped = false;

  constructor(onElement: (text: string) => void) {
    this.onElement = onElement;
  }

  feed(piece: string): void {
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const unit = piece.charCodeAt(at);
      if (this.isInString) {
        this.passString(unit);
        continue;
      }
      if (unit === 0x22) this.isInString = true;
      else if (unit === 0x5b || unit === 0x7b) {
        this.depth += 1;
        if (this.depth === 1) from = at + 1;
      } else if (unit === 0x5d || unit === 0x7d) {
        this.depth -= 1;
        if (this.depth === 0) from = this.finishElement(piece, from, at);
      } else if (unit === 0x2c && this.depth === 1) {
        from = this.finishElement(piece, from, at);
      }
    }
    this.keep(piece.slice(from));
  }

  /** Hands on what is left. */
  finish(): void {
    this.emit();
  }

  private passString(unit: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (unit === 0x5c) this.isEscaped = true;
    else if (unit === 0x22) this.isInString = false;
  }

  private finishElement(piece: string, from: number, at: number): number {
    this.keep(piece.slice(from, at));
    this.emit();
    return at + 1;
  }

  private keep(text: string): void {
    if (text === '') return;
    this.element.push(text);
    this.units += text.length;
    if (this.units > MAX_ELEMENT_UNITS) this.emit();
  }

  private emit(): void {
    const text = this.element.join('');
    this.element = [];
    this.units = 0;
    if (/\S/.test(text)) this.onElement(text);
  }
}
