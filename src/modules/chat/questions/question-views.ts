import type { DatasetQuestion, QuestionRemark } from './question.dto.js';
import type { QuestionGroup, QuestionWords } from './asked-questions.repository.js';

/** A question with those words of it that the caller may read, the newest first. */
export function toDatasetQuestion(group: QuestionGroup, words: readonly QuestionWords[]): DatasetQuestion {
  const question = words[0]?.question ?? null;
  const remarks = words.flatMap(toRemark);
  return {
    id: group.id,
    question,
    refused: group.refused,
    rated_down: group.rated_down,
    refusal_codes: [...group.refusal_codes],
    last_asked_at: group.last_asked_at.toISOString(),
    remarks,
    case: question === null ? null : { query: question, expected_answer: expectedOf(remarks), tags: tagsOf(group) },
  };
}

function toRemark({ reason, expected, created_at }: QuestionWords): QuestionRemark[] {
  return reason === null && expected === null ? [] : [{ reason, expected, created_at: created_at.toISOString() }];
}

function expectedOf(remarks: readonly QuestionRemark[]): string | null {
  return remarks.find(({ expected }) => expected !== null)?.expected ?? null;
}

function tagsOf({ refused, rated_down }: QuestionGroup): string[] {
  return [...(refused > 0 ? ['refused'] : []), ...(rated_down > 0 ? ['rated_down'] : [])];
}
