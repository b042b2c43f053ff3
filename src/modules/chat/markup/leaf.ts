import { findMarkers, type Marker } from '#libs/answering';
import { findAddresses, type Address } from './addresses.js';
import { escapeDefinitions, escapeLineStart, escapeText, type PlainText, type TextPlace } from './escapes.js';
import { codeSpan, partsOf, type LeafKind, type Part, type Reading } from './leaf-parts.js';
import type { Token } from './parser.js';
import { TextPieces, type Written } from './written.js';

/** An address that renderers take as it is written, up to its end. */
const BARE = /^https?:\/\/[A-Za-z0-9.:-]+(?:[/?#][A-Za-z0-9\-._~:/?#+,;=%&]*)?$/;
/** What would be a link, an image or a tag. */
const SHOWN = /\]\(|<(?=[a-z/!?])/gi;
/** What may be behind such an address without becoming part of it. */
const BEHIND_BARE = /^(?:[.,;:!?)]*(?:\s|$))/;

/** Writes the inline tokens of a paragraph, a heading or a cell again. */
export function writeLeaf(tokens: readonly Token[], reading: Reading, kind: LeafKind): Written {
  return new Leaf(reading, kind, partsOf(tokens, reading, kind)).write();
}

/** Writes a text that is no Markdown, so that it shows as it is. */
export function writePlain(value: string, reading: Reading, kind: LeafKind): Written {
  return new Leaf(reading, kind, [{ kind: 'text', value, escaped: new Set() }]).write();
}

class Leaf {
  private readonly text = new TextPieces();
  private readonly markers: Marker[] = [];
  private removed = 0;
  private shown = 0;
  private readonly place: TextPlace;

  constructor(
    private readonly reading: Reading,
    private readonly kind: LeafKind,
    private readonly parts: readonly Part[],
  ) {
    const written = parts.map((part) => (part.kind === 'text' ? part.value : part.raw));
    this.place = {
      hasPointed: written.some((one) => one.includes('>')),
      isCell: kind === 'cell',
      hasLinkedCode: parts.some((part) => part.kind === 'raw' && part.raw.startsWith('`') && part.raw.includes('](')),
      hasStruckCode: parts.some((part) =>
        part.kind === 'raw' ? part.raw.startsWith('`') && part.raw.includes('~') : hasStruckAddress(part.value),
      ),
    };
  }

  write(): Written {
    for (const [at, part] of this.parts.entries()) {
      if (part.kind === 'raw') this.add(part.raw);
      else this.addText(part, this.parts[at + 1]);
    }
    return this.withLineStarts();
  }

  /** Backticks side by side would be one mark: code is kept apart by a space. */
  private add(piece: string): void {
    this.text.append(piece.startsWith('`') && this.text.last === '`' ? ` ${piece}` : piece);
  }

  private addText(text: PlainText, behind: Part | undefined): void {
    const { value } = text;
    const next = behind === undefined ? '' : behind.kind === 'raw' ? behind.raw : behind.value;
    const addresses = findAddresses(value);
    const { numbers } = this.reading;
    const markers = (numbers === null ? [] : findMarkers(value)).filter(
      ({ start }) => !addresses.some((one) => start >= one.start && start < one.end),
    );
    const marks = [...addresses.map((one) => ({ ...one, numbers: null })), ...markers];
    let read = 0;
    for (const mark of marks.toSorted((a, b) => a.start - b.start)) {
      const address = mark.numbers === null ? this.writeAddress(value, mark, next) : null;
      this.text.append(escapeText(text, read, mark.start, address ?? '[', this.place));
      if (mark.numbers !== null)
        this.addMarker(
          value.slice(mark.start, mark.end),
          mark.numbers,
          value.slice(mark.end, mark.end + 2) + next.slice(0, 2),
        );
      else this.add(address!);
      read = mark.end;
    }
    this.text.append(escapeText(text, read, value.length, next, this.place));
    this.shown += value.match(SHOWN)?.length ?? 0;
  }

  /** As it is where it may be linked, else as code: no renderer makes a link of that, also not of text that it has read. */
  private writeAddress(value: string, { start, end }: Address, next: string): string {
    const address = value.slice(start, end);
    const before = value.slice(Math.max(0, start - 3), start);
    const isWhole =
      BARE.test(address) && BEHIND_BARE.test(value.slice(end, end + 20) + next.slice(0, 20)) && !before.endsWith('](');
    if (isWhole && this.reading.links.allows(address)) return address;
    if (!/(?:\]\(|<)$/.test(before)) this.shown += 1;
    return codeSpan(address, this.place.isCell);
  }

  private addMarker(written: string, wanted: readonly number[], behind: string): void {
    const known = wanted.filter((number) => this.reading.numbers!.has(number));
    // What is before a bracket may be an index as well.
    if (known.length === 0 && behind.startsWith('(')) {
      this.text.append(written);
      return;
    }
    this.removed += wanted.length - known.length;
    if (known.length === 0 && /^(?:[\s\p{P}]|$)/u.test(behind) && /[ \t]/.test(this.text.last)) this.text.dropLast();
    for (const number of known) {
      const start = this.text.length;
      this.text.append(`[${number}]`);
      this.markers.push({ number, start, end: this.text.length });
    }
  }

  private withLineStarts(): Written {
    const { removed, shown, kind } = this;
    const written = this.text.toString();
    const block = escapeDefinitions(written);
    const isOneLine = kind === 'line' || kind === 'cell';
    const text = isOneLine
      ? block.trim()
      : block
          .split('\n')
          .map((line, at) => escapeLineStart(line, at === 0 || kind === 'plain', kind === 'item'))
          .join('\n');
    return { text, markers: shifted(this.markers, written, text), removed, shown };
  }
}

/** Where markers are after backslashes were added to a text and white space was taken from it. */
function shifted(markers: readonly Marker[], before: string, after: string): Marker[] {
  let [from, to] = [0, 0];
  return markers.map(({ number, start, end }) => {
    while (from < start) {
      if (before[from] === after[to]) [from, to] = [from + 1, to + 1];
      else if (after[to] === '\\') to += 1;
      else from += 1;
    }
    while (after[to] !== before[from]) to += 1;
    return { number, start: to, end: to + end - start };
  });
}

function hasStruckAddress(text: string): boolean {
  return text.includes('~') && findAddresses(text).some(({ start, end }) => text.slice(start, end).includes('~'));
}
