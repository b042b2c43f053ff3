import { Injectable } from '@nestjs/common';
import { mapBounded } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { verifyCitation, type AnswerCitation } from '#libs/text';
import { DocumentTextReader } from '../documents/index.js';
import type { TurnSource } from './chat-turn.js';
import type { ChatCitation } from './dto/chat-completion.dto.js';

/** How many stretches of text are read at once. */
const READS_AT_ONCE = 4;

/** Proves citations by the stored text. */
@Injectable()
export class CitationVerifier {
  constructor(private readonly texts: DocumentTextReader) {}

  /** The citations as the answer shows them; each cited stretch is read again from the document's canonical text, once. */
  async verify(
    ctx: RequestContext,
    citations: readonly AnswerCitation[],
    sources: readonly TurnSource[],
  ): Promise<ChatCitation[]> {
    const byNumber = new Map(sources.map((source) => [source.number, source]));
    const cited = citations.flatMap((citation) => {
      const source = byNumber.get(citation.number);
      return source === undefined ? [] : [{ citation: wholeRow(citation, source), source }];
    });
    const reads = new Map<string, Promise<string | undefined>>();
    return mapBounded(cited, READS_AT_ONCE, async ({ citation, source }, index) => {
      const { sourceStart, sourceEnd, citedText } = citation;
      const key = `${source.document_id}:${sourceStart}:${sourceEnd}`;
      const read = reads.get(key) ?? this.texts.readRange(ctx, source.document_id, sourceStart, sourceEnd);
      reads.set(key, read);
      const stored = await read;
      const verified = stored !== undefined && verifyCitation(citedText, stored, 0, stored.length);
      const page = source.page === null ? null : await this.texts.findPage(ctx, source.document_id, sourceStart);
      return toCitation(`c${index + 1}`, citation, source, page, verified);
    });
  }
}

function toCitation(
  id: string,
  citation: AnswerCitation,
  source: TurnSource,
  page: number | null,
  verified: boolean,
): ChatCitation {
  return {
    id,
    marker: citation.marker,
    answer_start: citation.answerStart,
    answer_end: citation.answerEnd,
    document_id: source.document_id,
    document_name: source.document_name,
    dataset_id: source.dataset_id,
    chunk_id: source.chunk_id,
    revision: source.revision,
    page,
    source_char_start: citation.sourceStart,
    source_char_end: citation.sourceEnd,
    cited_text: citation.citedText,
    support_score: citation.supportScore,
    verified,
    ...source.tableRow,
  };
}

/** A row of a table is cited as a whole: its cells say what they mean only together. */
function wholeRow(citation: AnswerCitation, { tableRow, text, char_start, char_end }: TurnSource): AnswerCitation {
  if (tableRow === undefined) return citation;
  return { ...citation, sourceStart: char_start, sourceEnd: char_end, citedText: text };
}
