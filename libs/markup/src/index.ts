export { AnswerMarkup, type AnswerRewriter } from './answer-markup.js';
export { hostOf, type LinkPolicy } from './link-policy.js';
