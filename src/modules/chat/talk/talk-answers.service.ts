import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { AnswerMarkup } from '../markup/answer-markup.js';
import type { RequestContext } from '#libs/tenancy';
import { matchesFilter, type Filter } from '#libs/vector-store';
import { toFilterFacts } from '../../documents/index.js';
import type { TalkAnswer, TurnSource } from '../turn/chat-turn.js';
import {
  ShownDocumentsRepository,
  type ListedDocument,
  type ShownDocument,
  type ShownPart,
} from '../turn/shown-documents.repository.js';
import { CitedText, outlineOf } from './outline.js';
import { nameWords, type Talk } from './read-talk.js';
import { TALK_SENTENCES } from './sentences.js';

/** Where documents are looked for. */
export interface TalkScope {
  readonly datasetIds: readonly DatasetId[];
  /** What the request asks of documents, or its datasets do; null: nothing. */
  readonly filter: Filter | null;
}

/** Documents that a list names. */
export const MOST_LISTED = 50;
const PAGE = 500;
/** With a filter this many pages are read for a list. */
const MOST_PAGES = 20;
/** Among this many documents one is looked for by its name. */
const MOST_NAMED = 2_000;
/** Chunks that an outline is made of. */
const MOST_CHUNKS = 200;
/** A name of fewer characters names no document. */
const LEAST_NAME = 2;

/** Answers messages that are not questions. Every document that it names is visible to the caller and passes the filter of the request. */
@Injectable()
export class TalkAnswers {
  constructor(
    private readonly documents: ShownDocumentsRepository,
    private readonly markup: AnswerMarkup,
  ) {}

  /** Undefined where the summary of something was asked for that is no document: then it is a question. */
  async answer(ctx: RequestContext, talk: Talk, scope: TalkScope): Promise<TalkAnswer | undefined> {
    const sentences = TALK_SENTENCES[talk.language];
    switch (talk.kind) {
      case 'summary':
        return this.outline(ctx, talk, scope);
      case 'list':
        return this.list(ctx, talk, scope, '');
      case 'summary_of_all':
        return this.list(ctx, talk, scope, sentences.all);
      default:
        return { content: sentences[talk.kind], sources: [], citations: [] };
    }
  }

  private async list(ctx: RequestContext, talk: Talk, scope: TalkScope, before: string): Promise<TalkAnswer> {
    const found = await this.find(ctx, scope);
    const sentences = TALK_SENTENCES[talk.language];
    const named = found.slice(0, MOST_LISTED);
    const heads = found.length > MOST_LISTED ? fill(sentences.first, String(MOST_LISTED)) : sentences.list;
    const intro = named.length === 0 ? sentences.none : [before, heads].filter((one) => one !== '').join(' ');
    const lines = named.map(({ name, path }) => `- ${this.markup.escape(path ?? name)}`);
    const content = lines.length === 0 ? intro : `${intro}\n\n${lines.join('\n')}`;
    return { content, sources: named.map((one, index) => toSource(one, one, index + 1)), citations: [] };
  }

  /** One more than are listed, where there are. */
  private async find(ctx: RequestContext, { datasetIds, filter }: TalkScope): Promise<ListedDocument[]> {
    const limit = filter === null ? MOST_LISTED + 1 : PAGE;
    const found: ListedDocument[] = [];
    let last: ListedDocument | undefined;
    for (let page = 0; page < MOST_PAGES && found.length <= MOST_LISTED; page += 1) {
      const rows = await this.documents.list(ctx, datasetIds, last, limit);
      found.push(...rows.filter((row) => meets(row, filter)));
      last = rows.at(-1);
      if (rows.length < limit) break;
    }
    return found;
  }

  private async outline(
    ctx: RequestContext,
    { language, name }: Talk,
    { datasetIds, filter }: TalkScope,
  ): Promise<TalkAnswer | undefined> {
    if ([...name].length < LEAST_NAME) return undefined;
    const named = await this.documents.listNames(ctx, datasetIds, MOST_NAMED);
    const document = choose(
      named.filter((one) => meets(one, filter)),
      name,
    );
    if (document === undefined) return undefined;
    const chunks = await this.documents.listChunks(ctx, datasetIds, document.id, MOST_CHUNKS);
    const { sections, isWhole } = outlineOf(chunks);
    if (sections.length === 0) return undefined;
    const { outline, beginning } = TALK_SENTENCES[language];
    const text = new CitedText();
    text.content = fill(
      isWhole && chunks.length < MOST_CHUNKS ? outline : beginning,
      this.markup.escape(document.name),
    );
    const sources = sections.map(({ heading, chunk, start, end }, index) => {
      const quoted = chunk.body.slice(start, end);
      text.content += `${index === 0 ? '\n' : ''}\n- ${heading === null ? '' : `**${this.markup.escape(heading)}**: `}`;
      text.quote(this.markup.escape(quoted), {
        number: index + 1,
        quoted,
        sourceStart: Number(chunk.text_start) + start,
      });
      return toSource(document, chunk, index + 1);
    });
    return { content: text.content, sources, citations: text.citations };
  }
}

/** The one that is called so, else the only one whose name holds these words. */
function choose(documents: readonly ShownDocument[], name: string): ShownDocument | undefined {
  const holding = documents.filter((one) => nameWords(one.name).includes(name));
  const exact = holding.filter((one) => nameWords(one.name) === name);
  const best = exact.length > 0 ? exact : holding;
  return best.length === 1 ? best[0] : undefined;
}

function meets(document: ShownDocument, filter: Filter | null): boolean {
  return filter === null || matchesFilter(filter, toFilterFacts(document));
}

function fill(sentence: string, words: string): string {
  return sentence.replace('{}', () => words);
}

function toSource(document: ShownDocument, part: ShownPart, number: number): TurnSource {
  const start = Number(part.text_start);
  return {
    number,
    marker: `[${number}]`,
    chunk_id: part.chunk_id,
    document_id: document.id,
    document_name: document.name,
    path: document.path,
    document_created_at: document.created_at.toISOString(),
    dataset_id: document.dataset_id,
    score: 0,
    page: part.page,
    page_end: part.page_end,
    char_start: start,
    char_end: start + part.body.length,
    text: part.body,
    revision: document.revision,
  };
}
