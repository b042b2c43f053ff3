import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { api, dataOf, type Schema } from '../api/client';
import { organisationName } from '../frame/organisation';
import { ownTenant } from '../frame/refused';
import { useMe } from '../frame/queries';
import { usePageTitle } from '../frame/page-title';
import { currentLanguage, formatWhen, t } from '../texts/i18n';
import { Confirm } from '../ui/confirm';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { More, Row, Rows } from '../ui/rows';
import { Empty, ErrorNote, Loading } from '../ui/states';
import { nextSkip } from './members';
import { NewKey } from './new-key';
import { scopeInWords } from './scopes';

type Key = Schema<'ApiKey'>;

const PAGE = 50;

/** My API keys in this tenant. */
export default function Keys(): ReactElement {
  usePageTitle(t('keys.title'));
  const me = useMe();
  const [isMaking, make] = useState(false);
  const [ending, end] = useState<Key>();
  const tenant = me.data && ownTenant(me.data);
  const keys = useInfiniteQuery({
    queryKey: ['keys', me.data?.tenant_id],
    enabled: tenant !== undefined,
    initialPageParam: 0,
    queryFn: ({ pageParam: skip, signal }) =>
      dataOf(api.GET('/api/v1/auth/api-keys', { params: { query: { limit: PAGE, skip, order_by: 'name' } }, signal })),
    getNextPageParam: nextSkip,
  });
  const items = keys.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <main className="body">
      <div className="head-line">
        <h1>{t('keys.title')}</h1>
        <span className="quiet cut">{tenant && organisationName(tenant.name)}</span>
        {tenant !== undefined && (
          <span className="push">
            <Button look="first" onPress={() => make(true)}>
              <Icon name="plus" />
              {t('keys.new')}
            </Button>
          </span>
        )}
      </div>
      <p className="quiet small">{t('keys.why')}</p>
      <div className="section-line">
        <h2>{t('keys.yours')}</h2>
      </div>
      {keys.error !== null && <ErrorNote error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.isPending && <Loading />}
      {keys.data !== undefined && items.length === 0 && (
        <Empty title={t('keys.none')}>
          <p>{t('keys.noneWhy')}</p>
        </Empty>
      )}
      {items.length > 0 && (
        <Rows label={t('keys.yours')}>
          {items.map((key) => (
            <Row key={key.id} title={key.name} about={aboutOf(key)}>
              <Button look="danger" aria-label={t('keys.endOf', { name: key.name })} onPress={() => end(key)}>
                {t('keys.end')}
              </Button>
            </Row>
          ))}
        </Rows>
      )}
      <More list={keys} />
      {isMaking && me.data !== undefined && <NewKey me={me.data} onClose={() => make(false)} />}
      {ending !== undefined && <EndKey apiKey={ending} onClose={() => end(undefined)} />}
    </main>
  );
}

/** What a key may do, where, until when, and whether it is still used. */
function aboutOf({ scopes, dataset_ids: datasets, expires_at: end, last_used_at: used }: Key): readonly string[] {
  const date = end === null ? '' : new Date(end).toLocaleDateString(currentLanguage(), { dateStyle: 'medium' });
  const isOver = end !== null && Date.parse(end) <= Date.now();
  return [
    scopes.length === 0 ? t('keys.nothing') : scopes.map(scopeInWords).join(', '),
    datasets === null ? t('keys.allDatasets') : t('keys.someDatasets', { count: datasets.length }),
    end === null ? t('keys.forever') : t(isOver ? 'keys.over' : 'keys.until', { date }),
    used === null ? t('keys.unused') : t('account.used', { when: formatWhen(used) }),
  ];
}

function EndKey({ apiKey, onClose }: { readonly apiKey: Key; readonly onClose: () => void }): ReactElement {
  const queries = useQueryClient();
  const ending = useMutation({
    mutationFn: () => api.DELETE('/api/v1/auth/api-keys/{id}', { params: { path: { id: apiKey.id } } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['keys'] });
      onClose();
    },
  });
  return (
    <Confirm
      title={t('keys.endQuestion', { name: apiKey.name })}
      submitLabel={t('keys.end')}
      isPending={ending.isPending}
      error={ending.error}
      onSubmit={() => ending.mutate()}
      onClose={onClose}
    >
      <p>{t('keys.endWhy')}</p>
    </Confirm>
  );
}
