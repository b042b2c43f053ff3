import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import type { FilterSubject, FoundText } from './filter-subject.js';
import type { ShownChunk } from '../../content/index.js';
import { ShownTextsRepository } from './shown-texts.repository.js';

const CHUNKS_AT_ONCE = 16;
const FINDABLE_CHARS = 500;

/** The text of a subject as it is shown now. */
export interface SubjectText {
  readonly text: string;
  /** Whether there is more of it. */
  readonly isCut: boolean;
  /** Where a quotation is, letter for letter but for white space; undefined where it is nowhere. */
  readonly find: (quotation: string) => FoundText | undefined;
}

/** Reads the texts of subjects that models are shown. */
@Injectable()
export class SubjectTexts {
  constructor(private readonly shown: ShownTextsRepository) {}

  /** The first `chars` UTF-16 units; undefined when it is not shown any more, or another generation is. */
  async read(ctx: RequestContext, subject: FilterSubject, chars: number): Promise<SubjectText | undefined> {
    if (subject.row !== null) {
      const { text } = subject.row;
      const generations = await this.shown.generationsOf(ctx, [subject.documentId]);
      if (generations.get(subject.documentId) !== subject.generation) return undefined;
      return { text, isCut: false, find: (quotation) => findIn(text, quotation, null, null) };
    }
    const chunks =
      subject.chunkId === null
        ? await this.readDocument(ctx, subject, chars)
        : [await this.shown.findChunk(ctx, subject.chunkId)].filter((chunk) => chunk !== undefined);
    if (chunks.some(({ generation }) => generation !== subject.generation)) return undefined;
    if (chunks.length === 0) {
      const generations = await this.shown.generationsOf(ctx, [subject.documentId]);
      if (subject.chunkId !== null || generations.get(subject.documentId) !== subject.generation) return undefined;
    }
    const whole = chunks.map(({ body }) => body).join('\n\n');
    const find = (quotation: string): FoundText | undefined => {
      for (const { id, body, text_start: start } of chunks) {
        const found = findIn(body, quotation, id, Number(start));
        if (found !== undefined) return found;
      }
      return undefined;
    };
    return { text: whole.slice(0, chars), isCut: whole.length > chars, find };
  }

  private async readDocument(ctx: RequestContext, subject: FilterSubject, chars: number): Promise<ShownChunk[]> {
    const chunks: ShownChunk[] = [];
    let length = 0;
    for (let after = -1; length <= chars; after += CHUNKS_AT_ONCE) {
      const page = await this.shown.listChunks(ctx, [subject.documentId], after, CHUNKS_AT_ONCE);
      chunks.push(...page);
      length += page.reduce((sum, { body }) => sum + body.length, 0);
      if (page.length < CHUNKS_AT_ONCE) break;
    }
    return chunks;
  }
}

function findIn(
  text: string,
  quotation: string,
  chunkId: FoundText['chunkId'],
  textStart: number | null,
): FoundText | undefined {
  const words = quotation.trim().slice(0, FINDABLE_CHARS).split(/\s+/);
  if (words[0] === '' || words.length === 0) return undefined;
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('\\s+');
  const found = new RegExp(pattern, 'iu').exec(text.toWellFormed());
  if (found === null) return undefined;
  const charStart = textStart === null ? null : textStart + found.index;
  return {
    chunkId,
    text: text.slice(found.index, found.index + found[0].length),
    charStart,
    charEnd: charStart === null ? null : charStart + found[0].length,
  };
}
