import type { ChatMessage, ChatModelDescriptor } from '#libs/ai';
import { validationFailed } from '#libs/http';
import type { ChatMessageDto } from './chat-completion-request.dto.js';

/** The part of a message for a model: none of a message without text or of results of tools. */
export function toChatMessage({ role, content = '' }: ChatMessageDto): ChatMessage[] {
  if (role === 'tool' || role === 'function' || content.trim() === '') return [];
  return [{ role: role === 'developer' ? 'system' : role, content }];
}

/** The question. @throws `http.validation_failed` unless the last message is the user's and has text */
export function requireQuestion(messages: readonly ChatMessageDto[]): string {
  const { role, content = '' } = messages.at(-1) ?? {};
  const place = `/messages/${messages.length - 1}`;
  if (role !== 'user') {
    const detail = 'the last message must have the role user: it is the question';
    throw validationFailed([{ pointer: `${place}/role`, code: 'last_message_user', detail }]);
  }
  if (/\S/u.test(content)) return content;
  throw validationFailed([
    { pointer: `${place}/content`, code: 'matches', detail: 'content must contain more than white space' },
  ]);
}

/** System messages steer the model and are no part of what was asked. */
export function historyOf(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.slice(0, -1).filter(({ role }) => role !== 'system');
}

/**
 * In a stored conversation the service adds the earlier turns itself, so a client must not send them too.
 * @throws `http.validation_failed`
 */
export function requireNoHistory(messages: readonly ChatMessageDto[]): void {
  const place = messages.slice(0, -1).findIndex(({ role }) => role !== 'system' && role !== 'developer');
  if (place === -1) return;
  const detail =
    'with conversation_id the earlier turns are taken from the conversation: send only the question, after system messages if any';
  throw validationFailed([{ pointer: `/messages/${place}/role`, code: 'conversation_history', detail }]);
}

/** Inserts the earlier turns between the system messages of a request and its question. */
export function withEarlier(earlier: readonly ChatMessage[], messages: readonly ChatMessage[]): ChatMessage[] {
  return [...messages.slice(0, -1), ...earlier, ...messages.slice(-1)];
}

/**
 * The messages that a model reads of a conversation: one that answers the question alone is given no earlier turns, so that its answers cannot
 * repeat them.
 */
export function readBy(
  { readsHistory }: Pick<ChatModelDescriptor, 'readsHistory'>,
  messages: readonly ChatMessage[],
): readonly ChatMessage[] {
  return readsHistory
    ? messages
    : messages.filter(({ role }, index) => role === 'system' || index === messages.length - 1);
}
