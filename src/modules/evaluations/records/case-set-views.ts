import type { CaseSetHead } from './case-set.dto.js';
import type { CaseSetGeneration } from './generation.dto.js';
import type { GenerationState } from '../cases/generation-state.js';
import type { CaseSetRow } from './case-sets.repository.js';

export function toCaseSetHead(row: CaseSetRow): CaseSetHead {
  return {
    id: row.id,
    name: row.name,
    dataset_ids: [...row.dataset_ids],
    version: row.version,
    case_count: row.case_count + row.text_count,
    unapproved_count: row.unapproved_count + row.unapproved_text_count,
    outdated_count: row.outdated_count,
    generation: row.generation === null ? null : toGeneration(row.generation),
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function toGeneration({ error_code: code, error, ...state }: GenerationState): CaseSetGeneration {
  return {
    ...state,
    unanswerable_from: [...state.unanswerable_from],
    error: code === null ? null : { code, detail: error ?? '' },
  };
}
