/** A property of a calendar or a contact: `TEL;TYPE=cell:+49 171 1`. */
export interface ContentLine {
  /** In capitals, without its group. */
  readonly name: string;
  /** What ties it to other properties, in small letters (`item1` of `item1.TEL`). */
  readonly group?: string | undefined;
  /** Names in capitals; of several values of one name the first. */
  readonly parameters: ReadonlyMap<string, string>;
  /** As it is in the file, but for encoded bytes. */
  readonly value: string;
}

/** A longer line is a picture or a key, and is cut. */
const MAX_LINE_UNITS = 64 * 1024;
const NAME = /^(?:([A-Za-z0-9-]{1,60})\.)?([A-Za-z0-9-]{1,60})(?=[;:])/;
const PARAMETER = /;([A-Za-z0-9-]{1,60})(?:=("[^"]*"|[^;:"]*))?/y;
const ENCODED = /(?:=[0-9A-Fa-f]{2})+/g;

/** Joins lines that were folded, and tells the properties of a calendar or a contact. A line that is none is passed over. */
export class ContentLines {
  private readonly tell: (line: ContentLine) => void;
  private line = '';
  private isSoft = false;

  constructor(tell: (line: ContentLine) => void) {
    this.tell = tell;
  }

  takeLine(text: string, beginsLine: boolean): void {
    const isFolded = /^[ \t]/.test(text);
    if (beginsLine && !isFolded && !this.isSoft) this.finish();
    const rest = beginsLine && isFolded && !this.isSoft ? text.slice(1) : text;
    const before = this.isSoft ? this.line.slice(0, -1) : this.line;
    this.line = (before + rest).slice(0, MAX_LINE_UNITS);
    this.isSoft = this.line.endsWith('=') && isQuotedPrintable(this.line);
  }

  /** Tells the last line. */
  finish(): void {
    const read = readLine(this.line);
    this.line = '';
    this.isSoft = false;
    if (read !== undefined) this.tell(read);
  }
}

function isQuotedPrintable(line: string): boolean {
  return /;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i.test(line.slice(0, 200));
}

function readLine(line: string): ContentLine | undefined {
  const found = NAME.exec(line);
  if (found === null) return undefined;
  const parameters = new Map<string, string>();
  let at = found[0].length;
  while (line[at] === ';') {
    PARAMETER.lastIndex = at;
    const parameter = PARAMETER.exec(line);
    if (parameter === null) return undefined;
    const name = parameter[1]!.toUpperCase();
    if (!parameters.has(name)) parameters.set(name, (parameter[2] ?? '').replaceAll('"', ''));
    at = PARAMETER.lastIndex;
  }
  if (line[at] !== ':') return undefined;
  const value = line.slice(at + 1);
  return {
    name: found[2]!.toUpperCase(),
    ...(found[1] !== undefined && { group: found[1].toLowerCase() }),
    parameters,
    value: isQuotedPrintable(line.slice(0, at + 1)) ? decoded(value, parameters.get('CHARSET')) : value,
  };
}

/** Quoted-printable bytes in the charset that the line names; UTF-8 where that is not known. */
function decoded(value: string, charset = 'utf-8'): string {
  return value.replace(ENCODED, (bytes) => {
    const buffer = Buffer.from(bytes.replaceAll('=', ''), 'hex');
    try {
      return new TextDecoder(charset).decode(buffer);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return buffer.toString('utf8');
    }
  });
}

/** Text of a value without its escapes, on one line. */
export function plainValue(value: string): string {
  return value
    .replace(/\\(.)/g, (_, sign: string) => (sign === 'n' || sign === 'N' ? ' ' : sign))
    .replace(/\s+/g, ' ')
    .trim();
}

/** Parts of a value (`Harbour;Pilots`), without escapes and without those that are empty. */
export function valueParts(value: string): string[] {
  return (value.match(/(?:\\.|[^;\\])+/g) ?? []).map(plainValue).filter((part) => part !== '');
}
