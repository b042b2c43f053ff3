import { isAscii } from 'node:buffer';
import type { FlowWriter } from '../../output/flow-writer.js';
import type { CellSpan } from '../../output/table-builder.js';
import { ParseError } from '../../parse-error.js';
import { RtfCharsets } from './rtf-charsets.js';
import { RtfPassages } from './rtf-passages.js';
import { firstState, resetParagraph, type Destination, type GroupState } from './rtf-state.js';
import { RtfStyles } from './rtf-styles.js';
import { RtfTables } from './rtf-tables.js';
import type { RtfEvents } from './rtf-tokenizer.js';
import { CHARACTERS, FRAMES, READ_IGNORABLE, SKIPPED_GROUPS } from './rtf-words.js';

const MAX_GROUPS = 1000;
/** Groups that are read in a way of their own, by the word that begins them. */
const DESTINATIONS: Readonly<Record<string, Destination>> = {
  fonttbl: 'fonts',
  stylesheet: 'styles',
  title: 'title',
  listtext: 'marker',
  pntext: 'marker',
  footnote: 'footnote',
  annotation: 'annotation',
  atnauthor: 'annotation-author',
  upr: 'unicode-pair',
};

/** Reads the parts of an RTF file and tells a flow what is in it. */
export class RtfReader implements RtfEvents {
  images = 0;
  hiddenCharacters = 0;
  /** Characters that are struck out. */
  struckCharacters = 0;
  title = '';
  private readonly outer: GroupState[] = [];
  private state = firstState();
  private readonly charsets = new RtfCharsets();
  private readonly styles = new RtfStyles();
  private readonly tables: RtfTables;
  private readonly passages: RtfPassages;
  private pendingBytes: Buffer[] = [];
  /** Characters still to come that represent one that was given in Unicode. */
  private toSkip = 0;
  private cellSpans: CellSpan[] = [];
  private nextSpan: CellSpan = {};

  constructor(flow: FlowWriter) {
    this.tables = new RtfTables(flow);
    this.passages = new RtfPassages(this.tables, this.styles);
  }

  /** Groups that are open: none at the end of a whole file. */
  get openGroups(): number {
    return this.outer.length;
  }

  /** Footnotes, endnotes and comments read so far. */
  get notes(): number {
    return this.passages.notes;
  }

  open(): void {
    this.flushBytes();
    this.toSkip = 0;
    if (this.outer.length >= MAX_GROUPS) {
      throw new ParseError('MALFORMED', 'The document nests its groups too deeply; save it again in a word processor.');
    }
    this.outer.push(this.state);
    this.state = { ...this.state, isFresh: true, isIgnorable: false };
    // Of a pair of texts the first is for readers without Unicode.
    if (this.state.destination === 'unicode-pair') this.state.destination = 'skipped';
  }

  close(): void {
    this.flushBytes();
    this.toSkip = 0;
    this.passages.leave(this.outer.length, this.state);
    this.state = this.outer.pop() ?? this.state;
  }

  word(name: string, parameter: number | undefined): void {
    if (this.isReplacement()) return;
    this.flushBytes();
    if (this.beginsGroup(name) || this.state.destination === 'skipped') return;
    if (this.state.destination === 'fonts') this.takeFont(name, parameter ?? 0);
    else if (this.state.destination === 'styles') this.styles.word(name, parameter);
    else if (!this.format(name, parameter)) this.structure(name, parameter);
  }

  sign(sign: string): void {
    if (this.isReplacement()) return;
    this.flushBytes();
    if (sign === '*') this.state.isIgnorable = this.state.isFresh;
    else if (sign === '~') this.add(' ');
    else if (sign === '_') this.add('-');
    else if (sign === '{' || sign === '}' || sign === '\\') this.add(sign);
    else if (sign === '\n' || sign === '\r') this.passages.endParagraph(this.state);
  }

  bytes(bytes: Buffer): void {
    this.state.isFresh = false;
    const kept = bytes.subarray(Math.min(this.toSkip, bytes.length));
    this.toSkip -= bytes.length - kept.length;
    if (kept.length === 0 || this.state.destination === 'skipped') return;
    // ASCII is the same in all code pages, unless it is the second half of a character.
    if (this.pendingBytes.length === 0 && isAscii(kept)) this.add(kept.toString('latin1'));
    // The tokenizer uses its buffer again.
    else this.pendingBytes.push(Buffer.from(kept));
  }

  /** Writes what is left. */
  finish(): void {
    this.flushBytes();
    this.passages.finish(this.state);
  }

  private isReplacement(): boolean {
    if (this.toSkip === 0) return false;
    this.toSkip -= 1;
    return true;
  }

  /** The first word of a group may say what the group is; whether it did, or the group is to be left out. */
  private beginsGroup(name: string): boolean {
    const { state } = this;
    if (!state.isFresh && !state.isIgnorable) return false;
    const { isIgnorable } = state;
    state.isFresh = false;
    state.isIgnorable = false;
    if (state.destination === 'skipped') return this.beginsUnicodeText(name);
    if (name === 'pict') this.images += 1;
    const destination = FRAMES.has(name) ? 'frame' : DESTINATIONS[name];
    if (SKIPPED_GROUPS.has(name) || (isIgnorable && destination === undefined && !READ_IGNORABLE.has(name))) {
      state.destination = 'skipped';
    } else if (destination === undefined) return isIgnorable;
    else this.enter(destination);
    return true;
  }

  /** The second of a pair of texts is read like the text around the pair. */
  private beginsUnicodeText(name: string): boolean {
    if (name === 'ud' && this.outer.at(-1)?.destination === 'unicode-pair') {
      this.state.destination = this.outer.at(-2)?.destination ?? 'body';
    }
    return true;
  }

  private enter(destination: Destination): void {
    this.state.destination = destination;
    if (destination === 'footnote' || destination === 'annotation' || destination === 'frame') {
      resetParagraph(this.state);
      this.passages.begin(destination, this.outer.length);
    } else if (destination === 'marker') this.passages.beginMarker();
    else if (destination === 'annotation-author') this.passages.author = '';
  }

  private takeFont(name: string, parameter: number): void {
    const { state } = this;
    if (name === 'fcharset') this.charsets.setFontCharset(state.font ?? 0, parameter);
    else if (name === 'cpg') this.charsets.setFontPage(state.font ?? 0, parameter);
    else if (name === 'f') state.font = parameter;
  }

  /** Words that change how characters are read; false for any other. */
  private format(name: string, parameter: number | undefined): boolean {
    const { state } = this;
    if (name === 'u') this.addUnicode(parameter ?? 0);
    else if (name === 'uc') state.replacementLength = Math.min(Math.max(parameter ?? 1, 0), 100);
    else if (name === 'f') state.font = parameter;
    else if (name === 'v') state.isHidden = parameter !== 0;
    else if (name === 'strike' || name === 'striked') state.isStruck = parameter !== 0;
    else if (name === 'deleted') state.isDeleted = parameter !== 0;
    else if (name === 'plain')
      Object.assign(state, { isHidden: false, isDeleted: false, isStruck: false, font: this.styles.defaultFont });
    else if (name === 'deff') {
      this.styles.defaultFont = parameter;
      state.font = parameter;
    } else if (CHARACTERS[name] !== undefined) this.add(CHARACTERS[name]);
    else return this.charsets.take(name, parameter);
    return true;
  }

  private structure(name: string, parameter = 0): void {
    const { state } = this;
    if (name === 'par' || name === 'sect' || name === 'page') this.passages.endParagraph(state);
    else if (name === 'pard') resetParagraph(state);
    else if (name === 's') state.style = parameter;
    else if (name === 'outlinelevel') state.outlineLevel = parameter;
    else if (name === 'ilvl') state.listLevel = Math.min(Math.max(parameter, 0), 8);
    else if (name === 'intbl') state.tableLevel = Math.max(state.tableLevel, 1);
    else if (name === 'itap') state.tableLevel = Math.max(parameter, 0);
    else if (name === 'ftnalt') this.passages.markEndnote();
    else this.table(name);
  }

  private table(name: string): void {
    if (name === 'trowd') {
      this.cellSpans = [];
      this.nextSpan = {};
    } else if (name === 'clvmrg') this.nextSpan.repeats = 'above';
    else if (name === 'clmrg') this.nextSpan.repeats = 'left';
    else if (name === 'cellx') {
      this.cellSpans.push(this.nextSpan);
      this.nextSpan = {};
    } else if (name === 'cell') this.endCell(1);
    else if (name === 'nestcell') this.endCell(Math.max(this.state.tableLevel, 1));
    else if (name === 'row') this.endRow(1);
    else if (name === 'nestrow') this.endRow(Math.max(this.state.tableLevel, 2));
  }

  private endCell(level: number): void {
    this.passages.endParagraph(this.state, level);
    if (this.passages.isInBody) this.tables.endCell(level);
  }

  private endRow(level: number): void {
    if (!this.passages.isInBody) return;
    this.tables.endRow(level, this.cellSpans);
    if (level === 1) this.passages.dropRest();
  }

  private addUnicode(parameter: number): void {
    const code = parameter < 0 ? parameter + 65536 : parameter;
    // Characters of symbol fonts lie in the private area: what they show is not known.
    const isKnown = code > 0 && code <= 0x10ffff && !(code >= 0xe000 && code <= 0xf8ff);
    if (isKnown) this.add(code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code));
    this.toSkip = this.state.replacementLength;
  }

  private flushBytes(): void {
    if (this.pendingBytes.length === 0) return;
    const bytes = this.pendingBytes.length === 1 ? this.pendingBytes[0]! : Buffer.concat(this.pendingBytes);
    this.pendingBytes = [];
    this.add(this.charsets.decode(bytes, this.state.font));
  }

  private add(text: string): void {
    const { state } = this;
    state.isFresh = false;
    const { destination } = state;
    if (destination === 'skipped' || destination === 'fonts' || destination === 'unicode-pair') return;
    if (destination === 'styles') this.styles.text(text);
    else if (destination === 'title') this.title += text;
    else if (destination === 'annotation-author') this.passages.author += text;
    else if (destination === 'marker') this.passages.marker(text);
    else if (state.isHidden) this.hiddenCharacters += text.length;
    else if (state.isStruck) this.struckCharacters += text.length;
    else if (!state.isDeleted) this.passages.text(text);
  }
}
