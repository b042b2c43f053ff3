import { notifyManager, QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState, useSyncExternalStore, type MouseEvent, type ReactElement } from 'react';
import { Link, Route, Router, Switch, useLocation } from 'wouter';
import { Problem } from '../api/problem';
import { BASE_PATH } from '../api/root';
import { isServiceAway, sessionState, subscribe, waitEnd } from '../api/session';
import { forgetAsked } from '../screens/asked-questions';
import { SignIn, SignInAgain } from '../screens/sign-in';
import { Start } from '../screens/start';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon, Wordmark } from '../ui/icon';
import { Loading, Note } from '../ui/states';
import { Tray } from '../uploads/tray';
import { Boundary } from './boundary';
import { useKeptFocus } from './kept-focus';
import { NoOrganisation } from './no-organisation';
import { isAnyOutdated } from './outdated';
import { knownEmail, useMe } from './queries';
import { Rail } from './rail';
import {
  Account,
  Ask,
  Conversations,
  Documents,
  DocumentScreen,
  Evaluation,
  Invitation,
  Keys,
  People,
  Quality,
  Search,
  Settings,
  SharedAnswer,
  Why,
} from './screens';
import { DeferredActions } from './deferred-actions';

const MOST_TRIES = 3;

const makeQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5000,
        retry: (count, error) => count < MOST_TRIES && (!(error instanceof Problem) || error.isPassing),
      },
    },
  });

/** The console: sign-in, or the frame with the page of the address. */
export function App(): ReactElement {
  const state = useSyncExternalStore(subscribe, sessionState);
  const [drawing, redraw] = useState(0);
  const [queries, setQueries] = useState(makeQueries);
  // Another person, or another tenant, sees nothing of what was fetched before.
  useEffect(() => {
    if (state !== 'signed-out') return;
    forgetAsked();
    setQueries(makeQueries());
  }, [state]);
  const redrawAll = (): void => {
    void queries.invalidateQueries();
    redraw((count) => count + 1);
  };
  return (
    <Router base={BASE_PATH}>
      <Switch>
        <Route path="/invitation">
          <Invitation key={drawing} onRedraw={redrawAll} />
        </Route>
        <Route>
          {state === 'starting' && <Starting />}
          {state === 'signed-out' && <SignIn key={drawing} onRedraw={redrawAll} />}
          {(state === 'signed-in' || state === 'expired') && (
            <QueryClientProvider client={queries}>
              <Frame key={drawing} onRedraw={redrawAll} />
            </QueryClientProvider>
          )}
        </Route>
      </Switch>
      {state === 'expired' && <SignInAgain email={knownEmail(queries)} />}
    </Router>
  );
}

/** While nobody knows whether there is a session: nothing for a moment, then why it takes so long. */
function Starting(): ReactElement {
  const isAway = useSyncExternalStore(subscribe, isServiceAway);
  const isWaiting = useSyncExternalStore(subscribe, () => waitEnd() > Date.now());
  return (
    <main className="body">
      {isAway && !isWaiting && (
        <Note kind="warn" icon="warn" title={t('error.away')}>
          <p>{t('error.awayWhy')}</p>
        </Note>
      )}
      {isWaiting && (
        <Note kind="warn" icon="clock" title={t('state.loading')}>
          <p>{t('error.waiting')}</p>
        </Note>
      )}
      {!isAway && !isWaiting && <Loading />}
    </main>
  );
}

function Frame({ onRedraw }: { readonly onRedraw: () => void }): ReactElement {
  const [isOpen, open] = useState(false);
  const [location] = useLocation();
  useKeptFocus();
  useEffect(() => open(false), [location]);
  useEffect(() => {
    // What was pressed has gone with its page: the next Tab goes on in the new one.
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
  }, [location]);
  return (
    <div className="app">
      <a className="skip button" href="#main" onClick={skipHead}>
        {t('frame.skip')}
      </a>
      <Rail isOpen={isOpen} onClose={() => open(false)} onRedraw={onRedraw} />
      <div className="main" id="main" tabIndex={-1}>
        <nav className="top" aria-label={t('frame.menu')}>
          <Button look="plain" square aria-label={t('frame.menu')} aria-expanded={isOpen} onPress={() => open(!isOpen)}>
            <Icon name={isOpen ? 'cross' : 'menu'} />
          </Button>
          <Wordmark />
        </nav>
        <AwayStrip />
        <WaitStrip />
        <OutdatedStrip />
        <Boundary key={location}>
          <Pages />
        </Boundary>
      </div>
      <DeferredActions />
      <Tray />
    </div>
  );
}

/** Past the head of the page and its tabs too, where the page has a part of its own for what it is about. */
function skipHead(event: MouseEvent): void {
  const content = document.querySelector('#main main');
  if (!(content instanceof HTMLElement)) return;
  event.preventDefault();
  content.tabIndex = -1;
  content.focus();
}

function Pages(): ReactElement {
  const me = useMe();
  const [location] = useLocation();
  if (location !== '/account' && me.data?.tenants.length === 0) return <NoOrganisation mine={me.data.account.email} />;
  return (
    <Switch>
      <Route path="/">
        <Start />
      </Route>
      <Route path="/account">
        <Account />
      </Route>
      <Route path="/people">
        <People />
      </Route>
      <Route path="/keys">
        <Keys />
      </Route>
      <Route path="/ask">
        <Ask />
      </Route>
      <Route path="/conversations">
        <Conversations />
      </Route>
      <Route path="/answers/:id">{({ id }) => <SharedAnswer key={id} id={id} />}</Route>
      <Route path="/d/:id/ask">{({ id }) => <Ask key={id} datasetId={id} />}</Route>
      <Route path="/d/:id/documents">{({ id }) => <Documents key={id} datasetId={id} />}</Route>
      <Route path="/d/:id/documents/:document">
        {({ id, document }) => <DocumentScreen key={document} datasetId={id} documentId={document} />}
      </Route>
      <Route path="/d/:id/search">{({ id }) => <Search key={id} datasetId={id} />}</Route>
      <Route path="/d/:id/settings">{({ id }) => <Settings key={id} datasetId={id} />}</Route>
      <Route path="/d/:id/why">{({ id }) => <Why key={id} datasetId={id} />}</Route>
      <Route path="/d/:id/quality">{({ id }) => <Quality key={id} datasetId={id} />}</Route>
      <Route path="/d/:id/evaluations/:job">
        {({ id, job }) => <Evaluation key={job} datasetId={id} jobId={job} />}
      </Route>
      <Route>
        <main className="body">
          <Note icon="info" title={t('error.noPage')} isPage>
            <p className="note-actions">
              <Link className="button" href="/">
                {t('frame.start')}
              </Link>
            </p>
          </Note>
        </main>
      </Route>
    </Switch>
  );
}

/** While the service does not answer: what is on the page stays; afterwards it is asked for again. */
function AwayStrip(): ReactElement | null {
  const isAway = useSyncExternalStore(subscribe, isServiceAway);
  const queries = useQueryClient();
  useEffect(() => {
    if (!isAway) return undefined;
    return () => void queries.invalidateQueries();
  }, [isAway, queries]);
  if (!isAway) return null;
  return (
    <p className="strip" role="status">
      <Icon name="warn" />
      <span>
        <b>{t('error.away')}</b> {t('error.awayWhy')}
      </span>
    </p>
  );
}

/** Says while requests wait because there were too many. */
function WaitStrip(): ReactElement | null {
  const end = useSyncExternalStore(subscribe, waitEnd);
  const [now, tick] = useState(Date.now);
  useEffect(() => {
    if (end <= Date.now()) return undefined;
    const timer = setInterval(() => tick(Date.now()), 500);
    return () => clearInterval(timer);
  }, [end, now]);
  const seconds = Math.ceil((end - now) / 1000);
  if (seconds <= 0) return null;
  return (
    <p className="strip">
      <Icon name="clock" />
      <span aria-hidden="true">{t('state.tooMany', { count: seconds })}</span>
      {/* A screen reader would say each second. */}
      <span className="hidden-text" role="status">
        {t('said.tooMany')}
      </span>
    </p>
  );
}

/** While something that is shown could not be fetched again although the service answers: it may be out of date. */
function OutdatedStrip(): ReactElement | null {
  const queries = useQueryClient();
  const isAway = useSyncExternalStore(subscribe, isServiceAway);
  const subscribeQueries = useCallback(
    (onChange: () => void) => queries.getQueryCache().subscribe(notifyManager.batchCalls(onChange)),
    [queries],
  );
  const isOutdated = useSyncExternalStore(subscribeQueries, () => isAnyOutdated(queries.getQueryCache().getAll()));
  if (isAway || !isOutdated) return null;
  return (
    <p className="strip" role="status">
      <Icon name="warn" />
      <span>{t('error.outdated')}</span>
    </p>
  );
}
