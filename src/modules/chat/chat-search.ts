import type { ChatModelDescriptor } from '#libs/ai';
import type { SearchRequest } from '../retrieval/index.js';
import { SOURCES_DEFAULT } from './dto/chat-completion-request.dto.js';

/**
 * The search of a chat, where its request is silent. A model that quotes is given what was found; one that writes understands it better
 * with the text around it.
 */
export function chatSearchOf(request: SearchRequest, { kind }: Pick<ChatModelDescriptor, 'kind'>): SearchRequest {
  const expand = request.expand ?? (kind === 'generative' ? 'neighbours' : 'none');
  return { ...request, top_k: request.top_k ?? SOURCES_DEFAULT, expand };
}
