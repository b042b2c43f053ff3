const BAR_CELLS = 24;
const REDRAW_MS = 100;
/** Between two lines about the same file where no one watches a terminal. */
const LINE_MS = 10_000;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Tells how far a transfer is, one file after the other. */
export abstract class Progress {
  /** A file begins; `known` bytes of it are there already. Begun again, it replaces what was told of it. */
  abstract begin(label: string, size: number | undefined, known?: number): void;
  abstract add(bytes: number): void;
  /** The file is whole. */
  abstract end(): void;
  /** A line of its own. */
  abstract say(line: string): void;
}

/** What a terminal or a file is written to. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** A bar that is drawn again on a terminal, plain lines elsewhere. */
export class ScreenProgress extends Progress {
  private label = '';
  private size: number | undefined;
  private done = 0;
  private came = 0;
  private began = 0;
  private shown = 0;
  private isOpen = false;

  constructor(
    private readonly screen: Screen,
    private readonly now: () => number = () => performance.now(),
  ) {
    super();
  }

  begin(label: string, size: number | undefined, known = 0): void {
    this.label = label;
    this.size = size;
    this.done = known;
    this.came = 0;
    this.began = this.now();
    this.shown = this.began;
    if (this.screen.isTTY === true) this.draw();
    else if (known > 0) this.say(`${label}: going on at ${inUnits(known)}`);
  }

  add(bytes: number): void {
    this.done += bytes;
    this.came += bytes;
    if (this.now() - this.shown < (this.screen.isTTY === true ? REDRAW_MS : LINE_MS)) return;
    this.shown = this.now();
    if (this.screen.isTTY === true) this.draw();
    else this.say(this.line());
  }

  end(): void {
    this.size = this.done;
    if (this.screen.isTTY === true) this.draw();
    else this.say(this.line());
    this.close();
  }

  say(line: string): void {
    this.close();
    this.screen.write(`${line}\n`);
  }

  private draw(): void {
    const filled = this.size === undefined ? 0 : Math.floor((BAR_CELLS * this.done) / Math.max(1, this.size));
    const bar = `[${'#'.repeat(Math.min(BAR_CELLS, filled)).padEnd(BAR_CELLS, '.')}]`;
    const seconds = Math.max(0.001, (this.now() - this.began) / 1000);
    const text = `${bar} ${this.line()}  ${inUnits(this.came / seconds)}/s`;
    this.screen.write(`\r\u001B[K${text.slice(0, (this.screen.columns || 80) - 1)}`);
    this.isOpen = true;
  }

  private line(): string {
    if (this.size === undefined) return `${this.label} ${inUnits(this.done)}`;
    const percent = this.size === 0 ? 100 : Math.floor((100 * this.done) / this.size);
    return `${this.label} ${percent} % of ${inUnits(this.size)}`;
  }

  private close(): void {
    if (this.isOpen) this.screen.write('\n');
    this.isOpen = false;
  }
}

/** Bytes for people, in decimal units. */
export function inUnits(bytes: number): string {
  let unit = 0;
  let value = bytes;
  for (; value >= 1000 && unit < UNITS.length - 1; unit += 1) value /= 1000;
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}
