import type { ChatModelDescriptor } from '#libs/ai';
import type { RetrieveOptions } from '../../retrieval/index.js';
import { SOURCES_DEFAULT } from '../turn/chat-completion-request.dto.js';

/**
 * Defaults of the search of a chat, for options that neither its request nor its datasets set. A model that quotes is given the found chunks; one
 * that writes understands them better with their surroundings.
 */
export function chatSearchDefaults({
  kind,
}: Pick<ChatModelDescriptor, 'kind'>): NonNullable<RetrieveOptions['fallback']> {
  return { top_k: SOURCES_DEFAULT, expand: kind === 'generative' ? 'neighbours' : 'none' };
}

/** Options of the search of a chat for its model. */
export function searchFor(model: Pick<ChatModelDescriptor, 'kind'>): Pick<RetrieveOptions, 'fallback' | 'isQuoted'> {
  return { fallback: chatSearchDefaults(model), isQuoted: model.kind === 'extractive' };
}
