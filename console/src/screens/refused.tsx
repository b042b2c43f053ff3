import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { useMayWrite } from '../frame/queries';
import { lackingIn } from '../search/lacking-words';
import { t } from '../texts/i18n';
import { passageOf, whereOf, whyAddress } from './addresses';
import type { Turn } from './conversation';
import { PlaceLink } from './place-link';
import { SourcePassage } from './source-passage';

interface RefusedProps {
  readonly turn: Pick<Turn, 'question' | 'query' | 'refusal' | 'sources'>;
  /** Id of the dataset, or `''` for all. */
  readonly place: string;
}

const NEAREST = 3;
const NEAREST_LENGTH = 320;

const nearOf = (source: Turn['sources'][number]): ReactElement => (
  <li key={source.marker}>
    <blockquote>
      <SourcePassage passage={source.text} source={source} most={NEAREST_LENGTH} />
    </blockquote>
    <PlaceLink className="link small" to={passageOf(source)}>
      {source.document_name}
    </PlaceLink>{' '}
    <small>{whereOf(source)}</small>
  </li>
);

/** That there is no clear answer: the nearest passages first, which may say it all the same, then what was looked for and the way to why. */
export function Refused({ turn, place }: RefusedProps): ReactElement {
  const refusal = turn.refusal!;
  const [nearest] = turn.sources;
  // Of no excerpt at all, words are not said to be missing in it.
  const missing = nearest === undefined ? [] : lackingIn(nearest.text, refusal.missing_words);
  const dataset = place === '' ? nearest?.dataset_id : place;
  // The page that says why is for those who can change something.
  const mayWrite = useMayWrite(dataset);
  return (
    <div className="refused">
      <p>
        <b>{t(turn.sources.length === 0 ? 'refused.title' : 'refused.unclear')}</b>
      </p>
      {turn.sources.length === 0 ? (
        <p className="small quiet">{refusal.message}</p>
      ) : (
        turn.query !== undefined &&
        turn.query.trim() !== turn.question.trim() && (
          <p className="small quiet">{t('refused.looked', { query: turn.query })}</p>
        )
      )}
      {missing.length > 0 && (
        <p className="looked">
          {t('refused.missing')}
          {missing.map((word) => (
            <span key={word} className="missing">
              {word}
            </span>
          ))}
        </p>
      )}
      {turn.sources.length > 0 && (
        <>
          <h3>{t('refused.nearest')}</h3>
          <ul className="near">{turn.sources.slice(0, NEAREST).map(nearOf)}</ul>
          {turn.sources.length > NEAREST && (
            <details>
              <summary className="quiet small">
                {t('refused.further', { count: turn.sources.length - NEAREST })}
              </summary>
              <ul className="near">{turn.sources.slice(NEAREST).map(nearOf)}</ul>
            </details>
          )}
        </>
      )}
      {dataset !== undefined && mayWrite && (
        <p className="note-actions">
          <Link className="button" href={whyAddress(dataset, turn.question, turn.query)}>
            {t(turn.sources.length === 0 ? 'refused.why' : 'refused.whyUnclear')}
          </Link>
        </p>
      )}
    </div>
  );
}
