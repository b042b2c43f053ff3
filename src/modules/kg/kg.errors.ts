import { defineErrors } from '#libs/common';

/** Errors of the knowledge graph. */
export const kgErrors = defineErrors('kg', {
  not_found: {
    status: 404,
    title: 'Graph not found',
    detail: () => 'There is no graph and no dataset with this id, or you do not see the dataset.',
  },
  document_not_found: {
    status: 404,
    title: 'Document not found',
    detail: (f: { document: string }) => `The dataset has no document ${f.document}. Leave it out of document_ids.`,
  },
  entity_not_found: {
    status: 404,
    title: 'Entity not found',
    detail: (f: { entity: string }) =>
      `The graph currently has no entity "${f.entity}". GET /kg/{id}/entities lists the entities with their ids.`,
  },
  running: {
    status: 409,
    title: 'An extraction is running',
    detail: (f: { graphId: string }) =>
      `An extraction for the dataset is under way. Wait until GET /kg/${f.graphId} says that it is completed, incomplete or failed.`,
  },
  mode_not_available: {
    status: 422,
    title: 'Mode not available',
    detail: () =>
      'Mode "llm" needs a chat model that writes text of its own, and none is configured: set CHAT_PROVIDER and CHAT_MODEL, or send ' +
      '"mode": "heuristic", which needs no model.',
  },
});
