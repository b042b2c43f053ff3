import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { ROOT } from '../api/root';
import { currentLanguage, formatWhen, t } from '../texts/i18n';
import { Confirm } from '../ui/confirm';
import { Button } from '../ui/controls';
import { CopyButton } from '../ui/copy-button';
import { More, Row, Rows } from '../ui/rows';
import { ErrorNote, Loading } from '../ui/states';

type Share = Schema<'OwnSharedAnswer'>;

const PAGE = 50;
const KEY = ['own-shares'];

/** Links to answers that I have made: what each shows, whether it does so now, when it ends. */
export function OwnShares(): ReactElement {
  const [revoked, revoke] = useState<Share>();
  const shares = useInfiniteQuery({
    queryKey: KEY,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE, skip: pageParam };
      return dataOf(api.GET('/api/v1/shared-answers', { params: { query }, signal }));
    },
    initialPageParam: 0,
    getNextPageParam: ({ skip, total }) => (skip + PAGE < total ? skip + PAGE : undefined),
    staleTime: 0,
  });
  const items = shares.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <section>
      <div className="section-line">
        <h2>{t('shares.title')}</h2>
      </div>
      <p className="quiet small">{t('shares.why')}</p>
      {shares.error !== null && <ErrorNote error={shares.error} onRetry={() => void shares.refetch()} />}
      {shares.isPending && <Loading />}
      {shares.data !== undefined && items.length === 0 && <p className="small">{t('shares.none')}</p>}
      {items.length > 0 && (
        <Rows label={t('shares.title')}>
          {items.map((share) => (
            <Row key={share.id} title={share.question} about={aboutOf(share)}>
              <Link className="button" href={`/answers/${share.id}`} aria-label={t('shares.openOf', named(share))}>
                {t('shares.open')}
              </Link>
              <CopyButton text={new URL(`answers/${share.id}`, ROOT).href} label={t('shares.copyOf', named(share))} />
              <Button look="danger" aria-label={t('shares.revokeOf', named(share))} onPress={() => revoke(share)}>
                {t('shares.revoke')}
              </Button>
            </Row>
          ))}
        </Rows>
      )}
      <More list={shares} />
      {revoked !== undefined && <Revoke share={revoked} onClose={() => revoke(undefined)} />}
    </section>
  );
}

const named = ({ question }: Share): { readonly question: string } => ({ question });

function aboutOf(share: Share): readonly string[] {
  const end = new Date(share.expires_at).toLocaleDateString(currentLanguage(), { dateStyle: 'medium' });
  return [
    ...(share.withheld === null ? [] : [t(`withheld.${share.withheld.code}`)]),
    t('shares.made', { when: formatWhen(share.created_at) }),
    t('shares.ends', { date: end }),
  ];
}

function Revoke({ share, onClose }: { readonly share: Share; readonly onClose: () => void }): ReactElement {
  const queries = useQueryClient();
  const revoking = useMutation({
    mutationFn: () =>
      api.DELETE('/api/v1/conversations/{conversation_id}/turns/{turn_id}/share', { params: { path: share } }),
    onSuccess: async () => {
      queries.removeQueries({ queryKey: ['answers', share.id] });
      await queries.invalidateQueries({ queryKey: KEY });
      onClose();
    },
  });
  return (
    <Confirm
      title={t('share.sure')}
      submitLabel={t('share.revoke')}
      isPending={revoking.isPending}
      error={revoking.error}
      onSubmit={() => revoking.mutate()}
      onClose={onClose}
    >
      <p>{t('share.forAll')}</p>
    </Confirm>
  );
}
