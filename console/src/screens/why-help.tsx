import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { useDataset } from '../frame/queries';
import { changesOf } from '../search/option-changes';
import { useOwnOptions } from '../search/own-options';
import type { Purpose } from '../search/usual-options';
import { merged, optionsOf, withOptions, type SearchOptions } from '../search/search-options';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { ErrorNote, Note } from '../ui/states';
import { refusedWords } from '../texts/refused-words';
import { mayPass } from './failure-codes';
import { Changes } from './search-applied';
import { ForAll, type Applied } from './why-for-all';
import { actionWords, triedWords } from './why-words';
import styles from './why.module.css';

type Explanation = Schema<'ExplainResponse'>;
type Suggestion = Schema<'ExplainSuggestion'>;

interface HelpProps {
  readonly datasetId: string;
  readonly q: string;
  readonly options: SearchOptions;
  readonly explanation: Explanation;
  readonly purpose: Purpose;
  readonly onForAll: (applied: Applied) => void;
}

/** What brings it back: changes of the search that were tried, or what has to be done about the document first. */
export function Help(props: HelpProps): ReactElement | null {
  const { explanation } = props;
  if (explanation.verdict === 'retrieved') return null;
  const { suggestions } = explanation;
  return (
    <aside className={styles['help']}>
      <h2>{t('why.help')}</h2>
      {explanation.verdict === 'not_indexed' && <Remedy {...props} />}
      {explanation.verdict !== 'not_indexed' && suggestions.length === 0 && <Note icon="info">{t('why.noHelp')}</Note>}
      {suggestions.length > 0 && (
        <>
          <ul className="panel">
            {suggestions.map((suggestion, index) => (
              <SuggestionRow
                key={`${suggestion.action}${JSON.stringify(suggestion.change)}`}
                {...props}
                suggestion={suggestion}
                isFirst={index === 0}
              />
            ))}
          </ul>
          <p className="small">{t('why.verified')}</p>
        </>
      )}
    </aside>
  );
}

/** Options that a dataset can have as its own. */
const DEFAULTS: readonly string[] = [
  'top_k',
  'search_method',
  'candidate_k',
  'fusion',
  'score_threshold',
  'rerank',
  'mmr',
  'use_kg',
];

interface SuggestionRowProps extends HelpProps {
  readonly suggestion: Suggestion;
  readonly isFirst: boolean;
}

/** A suggestion, what it changes, and the buttons that apply it: to this search, or to every search of the dataset. */
function SuggestionRow(props: SuggestionRowProps): ReactElement {
  const { datasetId, options, explanation, suggestion, isFirst, purpose, onForAll } = props;
  const [address] = useSearchParams();
  const [, go] = useLocation();
  const dataset = useDataset(datasetId);
  const own = useOwnOptions(datasetId);
  const after = merged(options, suggestion.change);
  const isForAll =
    dataset.data?.effective_permissions.includes('policies:write') === true &&
    Object.keys(suggestion.change).every((name) => DEFAULTS.includes(name));
  return (
    <li>
      <p>{actionWords(suggestion)}</p>
      <Changes changes={changesOf(options, after)} own={own} purpose={purpose} />
      <p className="small quiet">{triedWords(suggestion, explanation)}</p>
      <p className="tools">
        <Button
          look={isFirst ? 'first' : 'usual'}
          onPress={() => go(appliedAddress(datasetId, address, suggestion.change, explanation))}
        >
          {t('why.apply')}
        </Button>
        {isForAll && own !== undefined && (
          <ForAll
            datasetId={datasetId}
            own={own}
            patch={{ ...withoutFilters(options), ...suggestion.change }}
            purpose={purpose}
            onApplied={onForAll}
          />
        )}
      </p>
    </li>
  );
}

function withoutFilters({ filters: _filters, dataset_ids: _ids, ...rest }: SearchOptions): SearchOptions {
  return rest;
}

/** The search with a change, which its address carries whole, as it does the options before. */
function appliedAddress(
  datasetId: string,
  address: URLSearchParams,
  change: Readonly<Record<string, unknown>>,
  { evidence }: Explanation,
): string {
  const before = optionsOf(address);
  const next = withOptions(address, merged(before, change));
  for (const name of ['text', 'document', 'chunk', 'purpose', 'follow_up']) next.delete(name);
  next.set('before', withOptions(new URLSearchParams(), before).toString());
  if (evidence.chunk !== null) next.set('look', evidence.chunk.chunk_id);
  return `/d/${datasetId}/search?${next.toString()}`;
}

/** No change of a search helps while the document is not there to be found. */
function Remedy({ datasetId, explanation }: HelpProps): ReactElement {
  const queries = useQueryClient();
  const { code, evidence } = explanation;
  const id = evidence.document?.document_id;
  const isFailed = evidence.document?.status === 'failed' && mayPass(evidence.document.error_code ?? undefined);
  const retrying = useMutation({
    mutationFn: (document: string) =>
      dataOf(api.POST('/api/v1/documents/batch/retry', { body: { document_ids: [document] } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['documents'] }),
  });
  const refused = retrying.data?.rejected[0];
  return (
    <Note icon="info" title={t('why.first')}>
      <p>{t(`remedy.${REMEDIES[code] ?? 'document'}`)}</p>
      <p className="note-actions tools">
        {id !== undefined && isFailed && (
          <Button onPress={() => retrying.mutate(id)} isDisabled={retrying.isPending}>
            {t('pick.retry')}
          </Button>
        )}
        {id !== undefined && (
          <Link className="button" href={`/d/${evidence.document?.dataset_id ?? datasetId}/documents/${id}`}>
            {t('why.openDocument')}
          </Link>
        )}
        <Link className="button" href={`/d/${datasetId}/quality`}>
          {t('tab.quality')}
        </Link>
        {retrying.data !== undefined && (
          <Button onPress={() => void queries.invalidateQueries({ queryKey: ['explain'] })}>
            {t('why.lookAgain')}
          </Button>
        )}
      </p>
      {refused !== undefined && <p>{refusedWords(refused.code, refused.detail)}</p>}
      {retrying.error !== null && <ErrorNote error={retrying.error} />}
    </Note>
  );
}

const REMEDIES: Readonly<Record<string, 'words' | 'document' | 'embedding' | 'unknown'>> = {
  LOST_AT_PARSE: 'words',
  LOST_AT_CHUNKING: 'words',
  STALE_EMBEDDING: 'embedding',
  VECTOR_MISSING: 'embedding',
  DOCUMENT_UNKNOWN: 'unknown',
  DELETED: 'unknown',
};
