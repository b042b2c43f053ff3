import type { ChatModelDescriptor } from '#libs/ai';
import type { RetrieveOptions } from '../../retrieval/index.js';
import { SOURCES_DEFAULT } from '../turn/chat-completion-request.dto.js';

/**
 * What holds for the search of a chat where neither its request nor its datasets say anything. A model that quotes is given what was
 * found; one that writes understands it better with the text around it.
 */
export function chatSearchDefaults({
  kind,
}: Pick<ChatModelDescriptor, 'kind'>): NonNullable<RetrieveOptions['fallback']> {
  return { top_k: SOURCES_DEFAULT, expand: kind === 'generative' ? 'neighbours' : 'none' };
}

/** How a chat searches for its model. */
export function searchFor(model: Pick<ChatModelDescriptor, 'kind'>): Pick<RetrieveOptions, 'fallback' | 'isQuoted'> {
  return { fallback: chatSearchDefaults(model), isQuoted: model.kind === 'extractive' };
}
