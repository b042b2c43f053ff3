export { chatErrors } from './chat.errors.js';
export { ChatOutlookModule } from './completions/chat-outlook.service.js';
export { ChatModule } from './chat.module.js';
export { MAX_TURNS } from './conversations/conversation-history.service.js';
export { MAX_CONVERSATIONS } from './conversations/conversations.service.js';
export { ConversationsWorkModule } from './conversations/conversations-work.module.js';
export { ChatService, type AnsweringModel } from './completions/chat.service.js';
export {
  ChatCompletionRequest,
  GROUNDING_MODES,
  MAX_ANSWER_TOKENS,
  type GroundingMode,
} from './turn/chat-completion-request.dto.js';
export { ChatCompletion, type ChatCitation, type ChatGrounding } from './turn/chat-completion.dto.js';
export type { ChatRefusal } from './turn/chat-refusal.dto.js';
export { REFUSAL_CODES, type RefusalCode } from './turn/refusals.js';
