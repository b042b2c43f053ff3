import { Injectable } from '@nestjs/common';
import { mapBounded } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { DocumentTextReader } from '../../documents/index.js';
import type { TurnId } from '../turn/conversation.entity.js';
import { ConversationTurnsRepository, type TurnRow } from './conversation-turns.repository.js';
import { ShownSourcesRepository, type SeenDocument } from './shown-sources.repository.js';
import type { StoredAnswer } from '../turn/stored-answer.js';
import type { WithheldCode } from './withheld-answer.dto.js';

/** A kept answer as its owner may see it now. */
export type SeenAnswer =
  | { readonly answer: StoredAnswer; readonly withheld: null }
  | { readonly answer: null; readonly withheld: WithheldCode };

type KeptTurn = Pick<TurnRow, 'id' | 'dataset_ids' | 'context_turn_ids' | 'content'>;

/** A stretch of a document's canonical text that an answer was made of. */
interface Stretch {
  readonly documentId: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What is in sight of all the answers that are looked at together. */
interface Sight {
  readonly datasets: ReadonlySet<string>;
  readonly documents: ReadonlyMap<string, SeenDocument>;
  readonly chunks: ReadonlySet<string>;
}

/** What became of the sources of each turn: null where they are in sight and say what they said. A turn that is gone has none. */
type Findings = ReadonlyMap<TurnId, WithheldCode | null>;

/** How many stretches of text are read at once. */
const READS_AT_ONCE = 4;

/**
 * Applies the current visibility to stored answers. An answer is shown while its reader sees every dataset that was asked and every document that
 * it rests on, and while these documents have the same text. All sources count, cited or not, because the model has read them all; for an answer
 * that only quotes, the turn was stored with the cited sources and their datasets only (`ended-turn.ts`). The model has also read the earlier
 * answers that it was given and may repeat them, so their sources count too.
 */
@Injectable()
export class VisibleAnswers {
  constructor(
    private readonly turns: ConversationTurnsRepository,
    private readonly sources: ShownSourcesRepository,
    private readonly datasets: DatasetAccess,
    private readonly texts: DocumentTextReader,
  ) {}

  /** One for each turn, in their order. */
  async look(ctx: RequestContext, turns: readonly KeptTurn[]): Promise<SeenAnswer[]> {
    const known = await this.withEarlier(ctx, turns);
    const sight = await this.sightOf(ctx, [...known.values()]);
    const findings = new Map<TurnId, WithheldCode | null>();
    for (const [id, turn] of known) findings.set(id, await this.lookAt(ctx, turn, sight));
    return turns.map((turn) => {
      const made = [turn, ...turn.context_turn_ids.flatMap((id) => known.get(id) ?? [])];
      return shownOrWithheld(turn, made, findings, sight);
    });
  }

  /**
   * Of each answer, without those that it was given, whether its documents show the texts that it was made of; undefined where that cannot be told now, because one of them
   * is not shown.
   */
  async compare(ctx: RequestContext, turns: readonly KeptTurn[]): Promise<(boolean | undefined)[]> {
    const sight = await this.sightOf(ctx, turns);
    const found: (boolean | undefined)[] = [];
    for (const { content } of turns) {
      const isShown = content === null || content.document_ids.every((id) => sight.documents.has(id));
      found.push(isShown ? content === null || (await this.stands(ctx, stretchesToRead(content, sight))) : undefined);
    }
    return found;
  }

  /** The turns and all whose answers they were given, by their ids. */
  private async withEarlier(ctx: RequestContext, turns: readonly KeptTurn[]): Promise<ReadonlyMap<TurnId, KeptTurn>> {
    const here = new Set(turns.map(({ id }) => id));
    const given = turns.flatMap(({ content, context_turn_ids: ids }) => (content === null ? [] : ids));
    const earlier = await this.turns.find(
      ctx,
      unique(given).filter((id) => !here.has(id)),
    );
    return new Map([...earlier, ...turns].map((turn) => [turn.id, turn]));
  }

  private async sightOf(ctx: RequestContext, turns: readonly KeptTurn[]): Promise<Sight> {
    const contents = turns.flatMap(({ content }) => (content === null ? [] : [content]));
    const datasets = await this.datasets.listVisible(ctx, unique(turns.flatMap(({ dataset_ids: ids }) => ids)));
    const documentIds = unique(contents.flatMap(({ document_ids: ids }) => ids));
    const chunkIds = unique(contents.flatMap(({ sources }) => sources.map(({ chunk_id: id }) => id)));
    return {
      datasets: new Set<string>(datasets.map(({ id }) => id)),
      documents: await this.sources.findDocuments(ctx, documentIds),
      chunks: await this.sources.findChunks(ctx, chunkIds),
    };
  }

  private async lookAt(
    ctx: RequestContext,
    { dataset_ids, content }: KeptTurn,
    sight: Sight,
  ): Promise<WithheldCode | null> {
    if (dataset_ids.some((id) => !sight.datasets.has(id))) return 'DATASET_OUT_OF_SIGHT';
    if (content === null || content.document_ids.some((id) => !sight.documents.has(id))) return 'SOURCE_OUT_OF_SIGHT';
    return (await this.stands(ctx, stretchesToRead(content, sight))) ? null : 'SOURCE_CHANGED';
  }

  /** Whether every stretch is the text that its document shows there now. */
  private async stands(ctx: RequestContext, stretches: readonly Stretch[]): Promise<boolean> {
    const found = await mapBounded(stretches, READS_AT_ONCE, async ({ documentId, start, end, text }) => {
      return (await this.texts.readRange(ctx, documentId, start, end)) === text;
    });
    return found.every(Boolean);
  }
}

/** `made`: the turn and those of the turns whose answers it was given that are still there. */
function shownOrWithheld(
  { content, context_turn_ids: given }: KeptTurn,
  made: readonly KeptTurn[],
  findings: Findings,
  sight: Sight,
): SeenAnswer {
  const found = made.flatMap(({ id }) => findings.get(id) ?? []).at(0);
  if (found !== undefined || content === null) return withheld(found ?? 'SOURCE_OUT_OF_SIGHT');
  // A turn goes with a dataset that it asked.
  if (made.length <= given.length) return withheld('DATASET_OUT_OF_SIGHT');
  const sources = made.flatMap((turn) => turn.content?.sources ?? []);
  if (saysFormerName(content.text, sources, sight)) return withheld('SOURCE_CHANGED');
  return { answer: underNamesOfToday(content, sight), withheld: null };
}

function withheld(code: WithheldCode): SeenAnswer {
  return { answer: null, withheld: code };
}

function unique<Id extends string>(ids: readonly Id[]): Id[] {
  return [...new Set(ids)];
}

/** What has to be compared: all that was used of documents that show other chunks by now, each stretch once. */
function stretchesToRead({ sources, citations }: StoredAnswer, { chunks }: Sight): Stretch[] {
  const others = new Set(sources.filter(({ chunk_id: id }) => !chunks.has(id)).map(({ document_id: id }) => id));
  const used = [
    ...sources.map((one) => toStretch(one.document_id, one.char_start, one.char_end, one.text)),
    ...citations.map((one) => toStretch(one.document_id, one.source_char_start, one.source_char_end, one.cited_text)),
  ].filter(({ documentId }) => others.has(documentId));
  return [...new Map(used.map((one) => [`${one.documentId}:${one.start}:${one.end}`, one])).values()];
}

function toStretch(documentId: string, start: number, end: number, text: string): Stretch {
  return { documentId, start, end, text };
}

/** Whether the text holds a name that a document had and has not any more. */
function saysFormerName(text: string, sources: StoredAnswer['sources'], { documents }: Sight): boolean {
  return sources.some((source) => {
    const { name, path } = documents.get(source.document_id)!;
    const former = [source.document_name === name ? [] : source.document_name, source.path === path ? [] : source.path];
    return former.flat().some((each) => each !== null && text.includes(each));
  });
}

function underNamesOfToday(content: StoredAnswer, { documents }: Sight): StoredAnswer {
  const named = <One extends { readonly document_id: string }>(one: One): One => {
    const { name, path } = documents.get(one.document_id)!;
    return { ...one, document_name: name, path };
  };
  return { ...content, sources: content.sources.map(named), citations: content.citations.map(named) };
}
