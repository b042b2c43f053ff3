import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, useSyncExternalStore, type ReactElement } from 'react';
import { Link } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { usePageTitle } from '../frame/page-title';
import { deferredIds, deferAction, subscribeDeferred } from '../frame/deferred-actions';
import { formatWhen, t } from '../texts/i18n';
import { Button, Field } from '../ui/controls';
import { FormSheet } from '../ui/form-sheet';
import { Icon } from '../ui/icon';
import { Empty, ErrorNote, Loading } from '../ui/states';
import { openQuestions } from './asked-questions';
import { forgetConversation } from './conversation';
import styles from './conversations.module.css';

const PAGE = 50;
const KEY = ['conversations'];
type Row = Schema<'Conversation'>;

/** Conversations that I have begun, the one that was gone on with last first. */
export default function Conversations(): ReactElement {
  usePageTitle(t('conversations.title'));
  const list = useInfiniteQuery({
    queryKey: KEY,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE, ...(pageParam === null ? {} : { after: pageParam }) };
      return dataOf(api.GET('/api/v1/conversations', { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });
  const leaving = useSyncExternalStore(subscribeDeferred, deferredIds);
  const items = (list.data?.pages.flatMap((page) => page.items) ?? []).filter(
    (item) => !leaving.has(item.id) && isBegun(item),
  );
  return (
    <>
      <header className="head">
        <div className="head-line">
          <h1>{t('conversations.title')}</h1>
          <p className="quiet small say">{t('conversations.whose')}</p>
        </div>
        <div className="tabs" />
      </header>
      <main className="body">
        {list.isPending && <Loading lines={6} />}
        {list.error !== null && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
        {list.data !== undefined && items.length === 0 && (
          <Empty title={t('conversations.none')}>
            <p>{t('conversations.noneHint')}</p>
            <Link className="button first" href="/">
              {t('frame.start')}
            </Link>
          </Empty>
        )}
        {items.length > 0 && (
          <ul className={`${styles['list']} panel`}>
            {items.map((item) => (
              <ConversationRow key={item.id} item={item} />
            ))}
          </ul>
        )}
        {list.hasNextPage && (
          <p className="note-actions">
            <Button onPress={() => void list.fetchNextPage()} isDisabled={list.isFetchingNextPage}>
              {t('conversations.more')}
            </Button>
          </p>
        )}
      </main>
    </>
  );
}

/** One that has no answer yet is called as what was asked in this tab. */
const titleOf = ({ id, title }: Row): string =>
  title ?? openQuestions(id, [])[0]?.question ?? t('conversations.untitled');

/** Whether there is anything to go on with: where the page was left before its first answer was kept, only the tab that asked knows the question. */
const isBegun = ({ id, title, turn_count: turns }: Row): boolean =>
  turns > 0 || title !== null || openQuestions(id, []).length > 0;

function ConversationRow({ item }: { readonly item: Row }): ReactElement {
  const [isNaming, name] = useState(false);
  const queries = useQueryClient();
  const title = titleOf(item);
  const remove = (): void =>
    deferAction({
      text: t('conversations.leaving', { title }),
      done: t('conversations.gone', { title }),
      ids: [item.id],
      run: async () => {
        await api.DELETE('/api/v1/conversations/{conversation_id}', { params: { path: { conversation_id: item.id } } });
        forgetConversation(item.id);
        await queries.invalidateQueries({ queryKey: KEY });
      },
      departures: [{ method: 'DELETE', path: `api/v1/conversations/${item.id}` }],
    });
  return (
    <li>
      <Link href={`/ask?c=${item.id}`} className="cut" title={title}>
        {title}
      </Link>
      <small className="quiet">{t('conversations.turns', { count: item.turn_count })}</small>
      <small className="quiet">{formatWhen(item.last_turn_at)}</small>
      <span className="tools">
        <Button look="plain" onPress={() => name(true)} aria-label={t('conversations.renameOf', { title })}>
          {t('conversations.rename')}
        </Button>
        <Button look="plain" square onPress={remove} aria-label={t('conversations.removeOf', { title })}>
          <Icon name="trash" />
        </Button>
      </span>
      {isNaming && <Rename item={item} onClose={() => name(false)} />}
    </li>
  );
}

function Rename({ item, onClose }: { readonly item: Row; readonly onClose: () => void }): ReactElement {
  const [title, setTitle] = useState(item.title ?? '');
  const queries = useQueryClient();
  const naming = useMutation({
    mutationFn: () => {
      const params = { path: { conversation_id: item.id } };
      return api.PATCH('/api/v1/conversations/{conversation_id}', { params, body: { title: title.trim() } });
    },
    onSuccess: async () => {
      forgetConversation(item.id);
      await queries.invalidateQueries({ queryKey: KEY });
      onClose();
    },
  });
  return (
    <FormSheet
      title={t('conversations.rename')}
      submitLabel={t('conversations.save')}
      isReady={title.trim() !== ''}
      isPending={naming.isPending}
      error={naming.error}
      onSubmit={() => naming.mutate()}
      onClose={onClose}
    >
      <Field label={t('dataset.name')} value={title} onChange={setTitle} maxLength={200} autoFocus isRequired />
    </FormSheet>
  );
}
