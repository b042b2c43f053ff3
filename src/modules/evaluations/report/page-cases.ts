import type { Compared } from '../scoring/job-statistics.js';
import type { MissCause } from '../scoring/job-summary.js';
import { each, markup, NOTHING, type Markup } from './markup.js';
import { tableOf } from './page-tables.js';
import { differencesOf, figure, referencePairs, type CaseDifference, type ReportContent } from './report-content.js';
import { barPlot, differencePlot } from './report-plots.js';

/** Cases that a table of differences names at each end, and misses that are listed of each variant. */
const MOST_DIFFERENT = 15;
const MOST_MISSES = 100;
const QUERY_CHARACTERS = 300;

/** How every case fares beside the baseline, else beside the first variant, by the metric of the first gate, else the last one. */
export function differencesSection(content: ReportContent): Markup {
  const { job, pairs, summary } = content;
  const metric = summary.gates[0]?.metric ?? job.metrics.at(-1);
  const shown = referencePairs(pairs);
  if (metric === undefined || shown.length === 0)
    return markup`<p>There is nothing to compare with: one variant, no baseline.</p>`;
  return each(shown, (pair, index) => differencesOfPair(pair, metric, `differences-${index}`, content));
}

function differencesOfPair(pair: Compared, metric: string, id: string, { cases }: ReportContent): Markup {
  const name = `${pair.variant.name} – ${pair.against.name}${pair.isBaseline ? ' (baseline)' : ''}`;
  const all = differencesOf(pair, metric).sort((a, b) => sizeOf(a) - sizeOf(b));
  const worse = all.filter((one) => sizeOf(one) < 0);
  const better = all.filter((one) => sizeOf(one) > 0).reverse();
  const named = [...worse.slice(0, MOST_DIFFERENT), ...better.slice(0, MOST_DIFFERENT).reverse()];
  const title = `${metric}, ${name}: difference of each case in order of size`;
  const most = Math.max(0.1, ...all.map((one) => Math.abs(sizeOf(one))));
  const plot = differencePlot(all.map(sizeOf), { id, title, from: -most, to: most });
  return markup`<figure><figcaption><bdi>${name}</bdi>, ${metric}</figcaption><p>${worse.length} cases are worse, ${better.length} better, ${all.length - worse.length - better.length} the same.</p>${plot}${tableOf(
    `Cases that differ most; all of them are in the report's CSV`,
    ['Case', 'Query', pair.variant.name, pair.against.name, 'Difference'],
    named.map((one) => [
      one.ordinal,
      queryOf(cases[one.ordinal]?.query),
      figure(one.ours),
      figure(one.theirs),
      figure(sizeOf(one)),
    ]),
  )}</figure>`;
}

function sizeOf({ ours, theirs }: CaseDifference): number {
  return ours - theirs;
}

/** What was not found in each variant and why, with the change that mends most. */
export function casesSection(content: ReportContent): Markup {
  return each(content.summary.variants, ({ name, misses, causes }, index) => {
    const heading = markup`<h3><bdi>${name}</bdi>: ${misses} misses</h3>`;
    if (causes.length === 0) return markup`${heading}<p>In every case something relevant was found.</p>`;
    const title = `${name}: misses by cause`;
    const rows = causes.map(({ code, count }) => ({ label: code, value: count }));
    const to = 4 * Math.ceil(Math.max(...causes.map(({ count }) => count)) / 4);
    const plot = barPlot(rows, { id: `causes-${index}`, title, from: 0, to, digits: 0 });
    return markup`${heading}<figure><figcaption><bdi>${title}</bdi></figcaption>${plot}${tableOf(
      title,
      ['Cause', 'Misses', 'What it says', 'Most helpful change that was tried'],
      causes.map((cause) => [
        markup`<code>${cause.code}</code>`,
        `${cause.count} of ${misses}`,
        markup`${cause.meaning}`,
        fixOf(cause),
      ]),
    )}</figure>${missesOf(index, content)}`;
  });
}

function fixOf({ fix }: MissCause): Markup {
  if (fix === null) return markup`no change of the search that was tried helps`;
  const { action, change, mends, tried, breaks, checked } = fix;
  return markup`<code>${action}</code> <code>${JSON.stringify(change)}</code>: turns ${mends} of ${tried} misses into hits, and ${breaks} of ${checked} other cases into misses`;
}

function missesOf(index: number, { cases, scores, job }: ReportContent): Markup {
  const rows = scores.filter(({ variant, miss }) => variant === index && miss !== null);
  const more = rows.length > MOST_MISSES ? markup`<p>The first ${MOST_MISSES} of ${rows.length}.</p>` : NOTHING;
  const table = tableOf(
    'Cases in which nothing relevant was found',
    ['Case', 'Query', 'Cause', 'Tags'],
    rows.slice(0, MOST_MISSES).map(({ ordinal, miss }) => {
      const { query, tags = [] } = cases[ordinal] ?? {};
      return [ordinal, queryOf(query), markup`<code>${miss?.code ?? ''}</code>`, markup`<bdi>${tags.join(', ')}</bdi>`];
    }),
  );
  return markup`${more}${table}<p class="note"><code>GET /api/v1/evaluations/jobs/${job.id}/results?misses=true&amp;variant=${index}</code> lists each miss with a request that explains it over the current content.</p>`;
}

export function queryOf(query = ''): Markup {
  const characters = [...query];
  const text = characters.length > QUERY_CHARACTERS ? `${characters.slice(0, QUERY_CHARACTERS).join('')}…` : query;
  return markup`<bdi>${text}</bdi>`;
}
