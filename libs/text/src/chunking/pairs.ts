import { isWhitespace } from '../language/characters.js';
import type { Passage, Stretch } from './borders.js';
import type { Run } from './run.js';

/** A longer line is no question of a list of questions and answers. */
const MAX_QUESTION = 300;

const QUESTION_MARK = /[?\uff1f\u061f\u037e\u2047\u2e2e]["'”’»」』)）*_\s]*$/u;
/** Markers before a question: lists, quotes and emphasis. */
const LEADERS = '(?:[-*•+>]\\s+|\\d{1,3}[.)]\\s+|#{1,6}\\s+|\\*\\*|__)*';
/** What lists of questions write before a question: `Q:`, `Q1.`, `Frage 3:`, `问：`. */
const LABEL = new RegExp(
  `^\\s*${LEADERS}(?:Q|Question|Frage|F|Pregunta|P|Pergunta|Domanda|D|Vraag|V|Pytanie|Fråga|Kysymys|Soru|Вопрос|В|Питання|` +
    `问题?|問題?|質問|질문|문|سؤال|س|प्रश्न|ถาม|คำถาม)\\s*(?:\\d{1,4}|[一二三四五六七八九十]{1,3})?\\s*(?:[:：]|[.．]\\s|、)`,
  'iu',
);
const LIST_ITEM = /^\s*(?:[-*•]\s+|\d{1,3}[.)]\s+)/u;
const BOLD_LINE = /^\s*(?:\d{1,3}[.)]\s+|[-*•]\s+)?(?:\*\*.+\*\*|__.+__)\s*$/u;

interface Line {
  start: number;
  end: number;
  text: string;
  /** The first line of its block, or one after a blank line. */
  opensParagraph: boolean;
  run: Run | undefined;
}

/** Questions and their answers: each pair is a stretch of its own. Keeps the question of an answer that needs several chunks. */
export class PairGuide {
  private question: { text: string; path: number } | undefined;
  private isContinued = false;
  private end = -1;

  /** Ends the stretch where the pair that begins there ends, or, before the first question, where that begins. */
  limit(passage: Passage, stretch: Stretch): Stretch {
    const lines = linesOf(passage, stretch);
    const asks = lines.map((line, index) => isQuestion(line, lines[index + 1]));
    this.isContinued = asks[0] !== true;
    const first = lines[0];
    if (asks[0] === true && first !== undefined) {
      this.question = { text: plainQuestion(first.text), path: pathLength(first.run, Infinity) };
    }
    const next = lines.findIndex((line, index) => index > 0 && (asks[index] === true || this.endsAnswer(line)));
    this.end = next < 0 ? (stretch.closed ? stretch.end : -1) : lines[next]!.start;
    return next < 0 ? stretch : { ...stretch, end: this.end, closed: true };
  }

  /** The question that the last limited stretch goes on to answer. */
  get context(): string | undefined {
    return this.isContinued ? this.question?.text : undefined;
  }

  /** Tells where the chunk was cut. */
  taken(cut: number): void {
    if (this.end >= 0 && cut >= this.end) this.question = undefined;
  }

  /** A heading that is not below the question's own heading. */
  private endsAnswer({ run, start }: Line): boolean {
    if (this.question === undefined || run?.kind !== 'heading' || run.start !== start) return false;
    return pathLength(run, 0) <= this.question.path;
  }
}

function pathLength(run: Run | undefined, otherwise: number): number {
  return run?.kind === 'heading' ? run.headingPath.length : otherwise;
}

/** The lines of the stretch's fresh text that are not blank. */
function linesOf({ text, base, runs }: Passage, { fresh, end }: Stretch): Line[] {
  const lines: Line[] = [];
  let start = fresh;
  let blank = true;
  let index = 0;
  for (let at = fresh; at <= end; at++) {
    if (at < end && text.charCodeAt(at - base) !== 10) continue;
    let from = start;
    while (from < at && isWhitespace(text.charCodeAt(from - base))) from++;
    if (from < at) {
      while (index < runs.length && runs[index]!.end <= from) index++;
      const run = runs[index];
      const inRun = run !== undefined && run.start < at ? run : undefined;
      const opens = blank || (inRun !== undefined && inRun.start >= start);
      lines.push({ start: from, end: at, text: text.slice(from - base, at - base), opensParagraph: opens, run: inRun });
    }
    blank = from >= at;
    start = at + 1;
  }
  return lines;
}

/** A labelled question; or a heading, a bold line, a list item or the first line of a paragraph with a question mark, if text follows it. */
function isQuestion(line: Line, next: Line | undefined): boolean {
  if (line.run?.kind === 'code' || line.run?.kind === 'table') return false;
  if (line.text.length > MAX_QUESTION) return LABEL.test(line.text.slice(0, MAX_QUESTION));
  if (LABEL.test(line.text)) return true;
  if (!QUESTION_MARK.test(line.text) || !/\p{L}/u.test(line.text)) return false;
  if (line.run?.kind === 'heading') return true;
  const isAlone = line.opensParagraph || BOLD_LINE.test(line.text) || LIST_ITEM.test(line.text);
  return isAlone && next !== undefined && !QUESTION_MARK.test(next.text);
}

function plainQuestion(line: string): string {
  return line
    .replace(new RegExp(`^\\s*${LEADERS}`, 'u'), '')
    .replace(/(?:\*\*|__)\s*$/, '')
    .trim()
    .slice(0, MAX_QUESTION)
    .replace(/[\ud800-\udbff]$/, '');
}
