import type { ReactElement } from 'react';
import type { Schema } from '../api/client';
import { formatNumber, t } from '../texts/i18n';
import { Dot } from '../ui/counts';
import { figureWords, gateWords, inOrder, lookOfVerdict, metricWords } from './evaluation-words';
import { reasonWords } from './why-words';
import styles from './evaluation.module.css';

type Variant = Schema<'VariantSummaryDto'>;

interface VariantsProps {
  readonly variants: readonly Variant[];
}

/** A row for each measure, a column for each variant. */
export function Measures({ variants }: VariantsProps): ReactElement {
  const metrics = inOrder([...new Set(variants.flatMap((variant) => Object.keys(variant.metrics)))]);
  const isOne = variants.length === 1;
  return (
    <section>
      <h3>{t('evaluation.measures')}</h3>
      <p className="quiet small">{t('evaluation.means')}</p>
      <div className={styles['table']} role="region" aria-label={t('evaluation.measures')} tabIndex={0}>
        <table>
          {!isOne && (
            <thead>
              <tr>
                <th scope="col">{t('evaluation.measure')}</th>
                {variants.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {metrics.map((metric) => (
              <tr key={metric}>
                <th scope="row">{metricWords(metric)}</th>
                {variants.map((variant) => (
                  <Figure key={variant.name} figure={variant.metrics[metric]} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Figure({ figure }: { readonly figure: Schema<'MetricFigureDto'> | undefined }): ReactElement {
  if (figure === undefined) return <td>{t('evaluation.noValue')}</td>;
  return (
    <td>
      <b>{figureWords(figure)}</b>{' '}
      {figure.n > 0 && <span className="quiet">{t('evaluation.ofCases', { count: figure.n })}</span>}
    </td>
  );
}

interface GatesProps {
  readonly gates: readonly Schema<'GateResultDto'>[];
  readonly isOne: boolean;
}

/** What the measures had to reach, and whether they do. */
export function Gates({ gates, isOne }: GatesProps): ReactElement {
  return (
    <section aria-label={t('evaluation.gates')}>
      <h3>{t('evaluation.gates')}</h3>
      <ul className="panel">
        {gates.map((gate) => (
          <li key={`${gate.variant} ${gate.metric} ${gate.kind}`}>
            <div>
              <b>{metricWords(gate.metric)}</b>
              <p className="small quiet">{[gateWords(gate), ...(isOne ? [] : [gate.variant])].join(' · ')}</p>
            </div>
            <span className={`state ${lookOfVerdict(gate.verdict)}`}>
              <Dot look={lookOfVerdict(gate.verdict)} />
              {t(`evaluationVerdict.${gate.verdict}`)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Why nothing relevant was found, the most frequent first. */
export function Causes({ variants }: VariantsProps): ReactElement | null {
  const isOne = variants.length === 1;
  const causes = variants.flatMap(({ name, causes: inner }) => inner.map((cause) => ({ ...cause, name })));
  if (causes.length === 0) return null;
  return (
    <section aria-label={t('evaluation.causes')}>
      <h3>{t('evaluation.causes')}</h3>
      <ul className="panel">
        {causes.map(({ name, code, meaning, count }) => (
          <li key={`${name} ${code}`}>
            <div>
              {reasonWords(code, meaning)}
              {!isOne && <p className="small quiet">{name}</p>}
            </div>
            <b>{formatNumber(count)}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
