import { api, dataOf, type Schema } from '../api/client';
import type { Turn } from './conversation';

export type KeptTurn = Schema<'ConversationTurn'>;

const PAGE = 50;

/** The newest turns of a conversation, or those before a turn. */
export async function readTurns(id: string, before?: number): Promise<Schema<'ConversationWithTurns'>> {
  const query = { limit: PAGE, ...(before === undefined ? {} : { before }) };
  const params = { path: { conversation_id: id }, query };
  return dataOf(api.GET('/api/v1/conversations/{conversation_id}', { params }));
}

/** A kept turn as it looked when its answer ended. */
export function viewOf(kept: KeptTurn): Omit<Turn, 'id'> {
  return {
    question: kept.question,
    datasetIds: kept.dataset_ids,
    state: kept.state === 'complete' ? 'done' : 'stopped',
    turnId: kept.id,
    requestId: kept.state === 'complete' ? kept.request_id : undefined,
    ...answerOf(kept.answer),
    withheld: kept.withheld ?? undefined,
    feedback: kept.feedback ?? undefined,
    share: kept.share ?? undefined,
  };
}

type Answered = Pick<Turn, 'text' | 'citations' | 'sources' | 'grounding' | 'refusal' | 'table'>;

/** A kept answer; null is one that is withheld. */
export function answerOf(answer: Schema<'TurnAnswer'> | null): Answered {
  return {
    text: answer?.content ?? '',
    citations: answer?.citations ?? [],
    sources: answer?.sources ?? [],
    grounding: answer?.grounding ?? undefined,
    refusal: answer?.refusal ?? undefined,
    table: answer?.table ?? undefined,
  };
}
