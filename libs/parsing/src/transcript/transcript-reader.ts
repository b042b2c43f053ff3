import type { ScannedLine } from '../scanning/line-splitter.js';
import { readCue } from './cue-text.js';

/** What one person says in one go. */
export interface Turn {
  /** `00:01:05`, when it begins. */
  readonly time: string;
  readonly speaker: string | undefined;
  readonly text: string;
}

interface Open {
  readonly startMs: number;
  readonly speaker: string | undefined;
  readonly pieces: string[];
  units: number;
  endMs: number;
}

const TIMING = /^\s*((?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3})\s*-->\s*((?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3})(?:\s|$)/;
/** Blocks of WebVTT that say nothing. */
const NO_CUE = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;
/** From so much text on a turn ends with its sentence, so that each has its time. */
const LONG_TURN_UNITS = 400;
/** A turn whose sentences never end is cut. */
const MOST_TURN_UNITS = 4_000;
/** No one who goes on with a sentence is silent so long. */
const PAUSE_MS = 5_000;
const ENDS_SENTENCE = /[.!?…。！？]["'”’»)\]]*$/;
const MAX_LINES = 50;

/** Reads the lines of WebVTT and SubRip, and tells turns of speech: the cues are those of a screen and cut sentences anywhere. */
export class TranscriptReader {
  cues = 0;
  private readonly onTurn: (turn: Turn) => void;
  private block: string[] = [];
  private open: Open | undefined;
  private speaker: string | undefined;
  private lastLine = '';

  constructor(onTurn: (turn: Turn) => void) {
    this.onTurn = onTurn;
  }

  takeLine({ text, beginsLine }: Pick<ScannedLine, 'text' | 'beginsLine'>): void {
    if (beginsLine && !/\S/.test(text)) this.endBlock();
    else if (this.block.length < MAX_LINES) this.block.push(text);
  }

  finish(): void {
    this.endBlock();
    this.close();
  }

  private endBlock(): void {
    const lines = this.block;
    this.block = [];
    const at = lines.slice(0, 2).findIndex((line) => TIMING.test(line));
    if (at < 0 || NO_CUE.test(lines[0]!)) return;
    const [, start, end] = TIMING.exec(lines[at]!)!;
    this.cues += 1;
    this.takeCue(millisecondsOf(start!), millisecondsOf(end!), this.withoutRepeated(lines.slice(at + 1)));
  }

  /** Captions that roll show the line before once more. */
  private withoutRepeated(lines: readonly string[]): readonly string[] {
    const shown = lines.filter((line) => /\S/.test(line)).map((line) => line.trim());
    const plain = shown.map((line) => line.replace(/<[^<>]{0,200}>/g, '').trim());
    const fresh = plain[0] !== undefined && plain[0] === this.lastLine ? shown.slice(1) : shown;
    this.lastLine = plain.at(-1) ?? this.lastLine;
    return fresh;
  }

  private takeCue(startMs: number, endMs: number, lines: readonly string[]): void {
    for (const { text, speaker, isTurn } of readCue(lines)) {
      const goesOn = this.open !== undefined && !this.isOver(this.open, startMs);
      const isOther = isTurn && (speaker === undefined || speaker !== this.speaker);
      if (isTurn) this.speaker = speaker;
      if (!goesOn || isOther) {
        this.close();
        this.open = { startMs, endMs, speaker: this.speaker, pieces: [], units: 0 };
      }
      this.open!.pieces.push(text);
      this.open!.units += text.length + 1;
      this.open!.endMs = Math.max(this.open!.endMs, endMs);
    }
  }

  private isOver(open: Open, startMs: number): boolean {
    const isSilent = startMs - open.endMs > PAUSE_MS;
    const endsSentence = ENDS_SENTENCE.test(open.pieces.at(-1) ?? '');
    return isSilent || (open.units >= LONG_TURN_UNITS && endsSentence) || open.units >= MOST_TURN_UNITS;
  }

  private close(): void {
    const { open } = this;
    this.open = undefined;
    if (open === undefined) return;
    this.onTurn({ time: clock(open.startMs), speaker: open.speaker, text: open.pieces.join(' ') });
  }
}

function millisecondsOf(time: string): number {
  const [seconds = '0', minutes = '0', hours = '0'] = time.replace(',', '.').split(':').toReversed();
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000);
}

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
