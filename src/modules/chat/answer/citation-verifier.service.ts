import { Injectable } from '@nestjs/common';
import { mapBounded, type DatasetId, type DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { verifyCitation, type AnswerCitation } from '#libs/answering';
import { DocumentTextReader } from '../../documents/index.js';
import { CitedRows, type CitedPlace } from '../../tables/index.js';
import type { TurnSource } from '../turn/chat-turn.js';
import type { ChatCitation } from '../turn/chat-completion.dto.js';

/** How many stretches of text are read at once. */
const READS_AT_ONCE = 4;

/** Verifies citations against the stored text. */
@Injectable()
export class CitationVerifier {
  constructor(
    private readonly texts: DocumentTextReader,
    private readonly rows: CitedRows,
  ) {}

  /**
   * The citations as the answer shows them; each cited stretch is read again from the document's canonical text, once. What is a part of a
   * row of a table is cited as the whole row.
   */
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
    const verified = await mapBounded(cited, READS_AT_ONCE, async ({ citation, source }, index) => {
      const { sourceStart, sourceEnd, citedText } = citation;
      const key = `${source.document_id}:${sourceStart}:${sourceEnd}`;
      const read = reads.get(key) ?? this.texts.readRange(ctx, source.document_id, sourceStart, sourceEnd);
      reads.set(key, read);
      const stored = await read;
      const stands = stored !== undefined && verifyCitation(citedText, stored, 0, stored.length);
      const page = source.page === null ? null : await this.texts.findPage(ctx, source.document_id, sourceStart);
      return toCitation(`c${index + 1}`, citation, source, page, stands);
    });
    return this.withRows(ctx, verified);
  }

  /** Fragments of tables are quoted as text; the row that a quotation is a part of is found by where it is. */
  private async withRows(ctx: RequestContext, citations: ChatCitation[]): Promise<ChatCitation[]> {
    const quoted = citations.filter(
      (each) => each.verified && each.table_id === undefined && !/\n/.test(each.cited_text),
    );
    const found = await this.rows.find(ctx, quoted.map(placeOf));
    const rows = new Map(quoted.map((citation, index) => [citation, found[index]]));
    return mapBounded(citations, READS_AT_ONCE, async (citation) => {
      const row = rows.get(citation);
      if (row === undefined) return citation;
      const text = await this.texts.readRange(ctx, citation.document_id, row.start, row.end);
      const { source_char_start: start, source_char_end: end } = citation;
      // The tables may be of another revision than the fragments.
      if (text?.slice(start - row.start, end - row.start) !== citation.cited_text) return citation;
      const { tableId: table_id, sheet, row: number } = row;
      const place = { source_char_start: row.start, source_char_end: row.end, cited_text: text };
      return { ...citation, ...place, table_id, sheet, row: number };
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
    path: source.path,
    document_created_at: source.document_created_at,
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

function placeOf({ dataset_id, document_id, source_char_start, source_char_end }: ChatCitation): CitedPlace {
  const ids = { datasetId: dataset_id as DatasetId, documentId: document_id as DocumentId };
  return { ...ids, start: source_char_start, end: source_char_end };
}

/** A row of a table is cited as a whole: its cells say what they mean only together. */
function wholeRow(citation: AnswerCitation, { tableRow, text, char_start, char_end }: TurnSource): AnswerCitation {
  if (tableRow === undefined) return citation;
  return { ...citation, sourceStart: char_start, sourceEnd: char_end, citedText: text };
}
