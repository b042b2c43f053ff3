export { chatErrors } from './chat.errors.js';
export { ChatOutlookModule } from './chat-outlook.js';
export { ChatModule } from './chat.module.js';
export { MAX_TURNS } from './conversations/conversation-history.js';
export { MAX_CONVERSATIONS } from './conversations/conversations.service.js';
export { ConversationsWorkModule } from './conversations/conversations-work.module.js';
export { ChatService, type AnsweringModel } from './chat.service.js';
export {
  ChatCompletionRequest,
  GROUNDING_MODES,
  MAX_ANSWER_TOKENS,
  type GroundingMode,
} from './dto/chat-completion-request.dto.js';
export { ChatCompletion, type ChatCitation, type ChatGrounding } from './dto/chat-completion.dto.js';
export type { ChatRefusal } from './dto/chat-refusal.dto.js';
export { REFUSAL_CODES, type RefusalCode } from './refusals.js';
