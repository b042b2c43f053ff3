import { each, markup, NOTHING, type Markup } from './markup.js';
import { figure } from './report-content.js';

/** A row of a plot of intervals. */
export interface IntervalRow {
  readonly label: string;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export interface PlotOptions {
  /** Unique in the page; names the title. */
  readonly id: string;
  readonly title: string;
  readonly from: number;
  readonly to: number;
  /** Where a dashed line is, such as that of a gate. */
  readonly lines?: readonly { readonly at: number; readonly kind: 'gate' | 'zero' }[];
  readonly digits?: number;
}

const WIDTH = 640;
const LEFT = 215;
const RIGHT = 620;
const ROW = 28;
const TOP = 12;
const TICKS = 4;
const LABEL_CHARACTERS = 22;

/** A dot with its interval for each row, over one axis. The table beside it says the same. */
export function intervalPlot(rows: readonly IntervalRow[], options: PlotOptions): Markup {
  const x = scaleOf(options);
  const bottom = TOP + rows.length * ROW;
  return frame(
    options,
    bottom + 24,
    markup`${axis(options, bottom)}${each(rows, ({ label, value, low, high }, index) => {
      const y = TOP + index * ROW + ROW / 2;
      return markup`<text x="${LEFT - 10}" y="${y + 4}" text-anchor="end">${short(label)}</text>${
        low === null || high === null
          ? NOTHING
          : markup`<line class="range" x1="${x(low)}" x2="${x(high)}" y1="${y}" y2="${y}"/>`
      }${value === null ? NOTHING : markup`<circle class="dot" cx="${x(value)}" cy="${y}" r="5"/>`}`;
    })}`,
  );
}

/** A bar for each row from the left end of the axis. */
export function barPlot(rows: readonly { label: string; value: number }[], options: PlotOptions): Markup {
  const x = scaleOf(options);
  const bottom = TOP + rows.length * ROW;
  return frame(
    options,
    bottom + 24,
    markup`${axis(options, bottom)}${each(rows, ({ label, value }, index) => {
      const y = TOP + index * ROW;
      const width = Math.max(1, x(value) - LEFT);
      return markup`<text x="${LEFT - 10}" y="${y + ROW / 2 + 4}" text-anchor="end">${short(label)}</text><rect class="bar" x="${LEFT}" y="${y + 5}" width="${width}" height="${ROW - 10}"/>`;
    })}`,
  );
}

/** Differences of the cases in their order of size, worse ones first: one column each, or one of many for more cases than there is room. */
export function differencePlot(differences: readonly number[], options: PlotOptions): Markup {
  const [height, left, right] = [150, 40, RIGHT];
  const columns = Math.min(differences.length, right - left);
  const sorted = [...differences].sort((a, b) => a - b);
  const most = Math.max(options.to, 1e-9);
  const zero = TOP + height / 2;
  const width = (right - left) / Math.max(1, columns);
  const bars = Array.from(
    { length: columns },
    (_, index) => sorted[Math.floor((index * sorted.length) / columns)] ?? 0,
  );
  const inner = markup`<line class="axis" x1="${left}" x2="${right}" y1="${zero}" y2="${zero}"/>${each(
    [most, 0, -most],
    (value) =>
      markup`<text class="soft" x="${left - 6}" y="${round(zero - (value / most) * (height / 2)) + 4}" text-anchor="end">${figure(value, 1)}</text>`,
  )}${each(bars, (value, index) => {
    const size = round((Math.abs(value) / most) * (height / 2));
    if (size === 0) return NOTHING;
    const y = value > 0 ? zero - size : zero;
    return markup`<rect class="${value > 0 ? 'up' : 'down'}" x="${round(left + index * width)}" y="${y}" width="${round(Math.max(0.7, width * 0.85))}" height="${size}"/>`;
  })}`;
  return frame(options, TOP + height + 12, inner);
}

function frame({ id, title }: PlotOptions, height: number, inner: Markup): Markup {
  return markup`<div class="wide" tabindex="0" role="region" aria-labelledby="${id}"><svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id}"><title id="${id}">${title}. The table below holds the same figures.</title>${inner}</svg></div>`;
}

function axis(options: PlotOptions, bottom: number): Markup {
  const { from, to, lines = [], digits = 2 } = options;
  const x = scaleOf(options);
  const ticks = Array.from({ length: TICKS + 1 }, (_, index) => from + ((to - from) * index) / TICKS);
  return markup`${each(
    ticks,
    (tick) =>
      markup`<line class="axis" x1="${x(tick)}" x2="${x(tick)}" y1="${TOP}" y2="${bottom}"/><text class="soft" x="${x(tick)}" y="${bottom + 18}" text-anchor="middle">${figure(tick, digits)}</text>`,
  )}${each(
    lines,
    ({ at, kind }) => markup`<line class="${kind}" x1="${x(at)}" x2="${x(at)}" y1="${TOP - 6}" y2="${bottom}"/>`,
  )}`;
}

function scaleOf({ from, to }: PlotOptions): (value: number) => number {
  const span = to - from || 1;
  return (value) => round(LEFT + ((Math.min(to, Math.max(from, value)) - from) / span) * (RIGHT - LEFT));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function short(label: string): string {
  const characters = [...label];
  return characters.length > LABEL_CHARACTERS ? `${characters.slice(0, LABEL_CHARACTERS - 1).join('')}…` : label;
}
