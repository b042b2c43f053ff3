import type { FoundCandidates } from './candidate-finder.service.js';
import type { SearchCounts } from './dto/search-response.dto.js';
import { statisticsOf } from './scoring.js';
import type { Selected } from './search-plan.js';
import type { ScopeFacts } from './search-scopes.service.js';

/** How many chunks each step of a search left. */
export function countsOf(
  found: FoundCandidates,
  scope: ScopeFacts,
  { trace, lists, passed, results }: Selected,
): SearchCounts {
  return {
    chunks_in_scope: statisticsOf(scope.contents).chunkCount,
    proposed: found.proposed,
    visible: trace.candidates.length,
    keyword: lists.keyword,
    vector: lists.vector,
    kg: lists.kg,
    passed,
    returned: results.length,
  };
}
