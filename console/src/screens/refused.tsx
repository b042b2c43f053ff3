import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { t } from '../texts/i18n';
import { whereOf, whyAddress, type RevisedCitation } from './addresses';
import type { Turn } from './conversation';
import { PlaceLink } from './place-link';

interface RefusedProps {
  readonly turn: Pick<Turn, 'question' | 'refusal' | 'sources'>;
  /** Id of the dataset, or `''` for all. */
  readonly place: string;
}

const NEAREST = 3;
const NEAREST_LENGTH = 320;

/** That the documents do not say: what was looked for, what stands nowhere, the nearest passages, and the way to why. */
export function Refused({ turn, place }: RefusedProps): ReactElement {
  const refusal = turn.refusal!;
  const dataset = place === '' ? turn.sources[0]?.dataset_id : place;
  return (
    <div className="refused">
      <p>
        <b>{t('refused.title')}</b> {refusal.message}
      </p>
      {refusal.missing_words.length > 0 && (
        <p className="looked">
          {t('refused.missing')}
          {refusal.missing_words.map((word) => (
            <span key={word} className="missing">
              {word}
            </span>
          ))}
        </p>
      )}
      {turn.sources.length > 0 && (
        <>
          <h3>{t('refused.nearest')}</h3>
          <ul className="near">
            {turn.sources.slice(0, NEAREST).map((source) => (
              <li key={source.marker}>
                <blockquote>{shortened(source.text)}</blockquote>
                <PlaceLink className="link small" to={nearest(source)}>
                  {source.document_name}
                </PlaceLink>{' '}
                <small>{whereOf(source)}</small>
              </li>
            ))}
          </ul>
        </>
      )}
      {dataset !== undefined && (
        <p className="note-acts">
          <Link className="button" href={whyAddress(dataset, turn.question)}>
            {t('refused.why')}
          </Link>
        </p>
      )}
    </div>
  );
}

const shortened = (text: string): string =>
  text.length > NEAREST_LENGTH ? `${text.slice(0, NEAREST_LENGTH)} …` : text;

const nearest = (source: Turn['sources'][number]): RevisedCitation => ({
  ...source,
  source_char_start: source.char_start,
  source_char_end: source.char_end,
});
