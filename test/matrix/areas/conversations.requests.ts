import type { Recipes } from '../request-recipe.js';
import { converse, type Target, type World } from '../world.js';

async function freshConversation(world: World): Promise<Partial<Target>> {
  const title = world.unique('short-lived');
  return { conversation: (await world.owner.client.post<{ id: string }>('/conversations', { title })).id };
}

/** Conversations, feedback, and the questions that a dataset answers badly. */
export const CONVERSATIONS: Recipes = {
  'POST /conversations': {
    subject: 'create',
    parts: (_target, world) => ({ body: { title: world.unique('conversation') } }),
  },
  'GET /conversations': { subject: 'list' },
  'GET /conversations/{conversation_id}': { subject: 'own' },
  'PATCH /conversations/{conversation_id}': {
    subject: 'own',
    fresh: freshConversation,
    parts: (_target, world) => ({ body: { title: world.unique('renamed') } }),
  },
  'DELETE /conversations/{conversation_id}': { subject: 'own', fresh: freshConversation },
  'POST /conversations/{conversation_id}/turns/{turn_id}/share': { subject: 'own' },
  'DELETE /conversations/{conversation_id}/turns/{turn_id}/share': {
    subject: 'own',
    fresh: (world) => converse(world.owner.client, world.target.dataset),
  },
  'GET /shared-answers': { subject: 'list' },
  'GET /shared-answers/{id}': { subject: 'dataset' },
  'POST /requests/{request_id}/feedback': {
    subject: 'own',
    parts: () => ({ body: { rating: 'down', reason: 'Too short.' } }),
  },
  'GET /datasets/{id}/questions': { subject: 'dataset' },
};
