/** What a search does where neither it nor its dataset says anything else. */
export const USUAL = { search_method: 'hybrid', top_k: 10 } as const;

/** What is looked at: an answer is made of fewer excerpts than a search shows. */
export type Purpose = 'search' | 'chat';
const TOP_K_OF_ANSWERS = 8;

/** The same by the names of single options, as far as it is one value everywhere. */
export function usualValue(option: string, purpose: Purpose): string | undefined {
  if (option === 'top_k') return String(purpose === 'chat' ? TOP_K_OF_ANSWERS : USUAL.top_k);
  return { search_method: USUAL.search_method, 'rerank.enabled': 'false', use_kg: 'false' }[option];
}
