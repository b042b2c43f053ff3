import type { CitationSource, StatementSource } from '#libs/answering';
import type { ChatTurn } from './chat-turn.js';

/** The evidence for the statements of an answer: its sources, and values computed from rows of a table. */
export function evidenceOf({ sources, computed }: Pick<ChatTurn, 'sources' | 'computed'>): StatementSource[] {
  const given = sources.map(toCitationSource);
  if (computed === null) return given;
  // A number that no marker can name: nothing of a document can be cited for it.
  return [...given, { number: sources.length + 1, text: computed, start: 0, documentId: '' }];
}

/** A source as what supports statements. */
export function toCitationSource(source: ChatTurn['sources'][number]): CitationSource & StatementSource {
  const { number, text, char_start, document_id, document_name: title } = source;
  return { number, text, start: char_start, documentId: document_id, title };
}
