import type { Term } from '@rdfjs/types';
import { useState } from 'preact/hooks';
import { shownIri } from '../../rdf/term-view.tsx';
import { t } from '../../texts.ts';
import { count, tick } from '../../ui/numbers.ts';
import { RowSelect } from '../../ui/row-select.tsx';
import { visibleText } from '../../ui/visible.tsx';
import type { QueryRun } from './query-run.ts';

const MAX_BARS = 40;
const MAX_POINTS = 5_000;
const SAMPLED = 200;
const WIDTH = 760;
const HEIGHT = 360;
/** Room for the numbers of the vertical axis. */
const LEFT = 76;

/** A simple chart: bars for categories, points for two columns of numbers. */
export function Result({ run }: { run: QueryRun }) {
  const { columns, rowCount } = run.state.value;
  const numeric = columns.map((_, column) => isNumeric(run, column, rowCount));
  const numbers = columns.flatMap((_, i) => (numeric[i] ? [i] : []));
  const categories = columns.flatMap((_, i) => (numeric[i] ? [] : [i]));
  const [x, setX] = useState(categories[0] ?? numbers[0] ?? 0);
  const [y, setY] = useState<number>(numbers.find((column) => column !== x) ?? -1);
  if (rowCount === 0 || columns.length === 0) {
    return (
      <div class="empty">
        <p>{t.chart.nothing}</p>
      </div>
    );
  }
  const isScatter = numeric[x] === true && y >= 0;
  const nameOf = (column: string) => (column === '-1' ? t.chart.count : `?${columns[Number(column)]}`);
  return (
    <div class="stack" style={{ padding: '14px 16px' }}>
      <div class="row wrap">
        <RowSelect
          label={t.chart.across}
          values={columns.map((_, i) => String(i))}
          value={String(x)}
          shown={nameOf}
          onChange={(column) => setX(Number(column))}
        />
        <RowSelect
          label={t.chart.up}
          values={[-1, ...numbers].map(String)}
          value={String(y)}
          shown={nameOf}
          onChange={(column) => setY(Number(column))}
        />
      </div>
      {isScatter ? <Points run={run} x={x} y={y} /> : <Bars run={run} x={x} y={y} />}
    </div>
  );
}

/** Returns the number of a literal, with the infinities of XML Schema; undefined for other terms. */
function numberOf(term: Term | undefined): number | undefined {
  if (term?.termType !== 'Literal' || term.value.trim() === '') return undefined;
  if (term.value === 'NaN') return Number.NaN;
  const value = Number(term.value.replace(/^([+-]?)INF$/, '$1Infinity'));
  return Number.isNaN(value) ? undefined : value;
}

function isNumeric(run: QueryRun, column: number, rowCount: number): boolean {
  let found = 0;
  for (let row = 0; row < Math.min(rowCount, SAMPLED); row++) {
    const term = run.term(row, column);
    if (!term) continue;
    const value = numberOf(term);
    if (value === undefined) return false;
    if (Number.isFinite(value)) found++;
  }
  return found > 0;
}

interface ChartProps {
  readonly run: QueryRun;
  readonly x: number;
  /** -1 counts rows. */
  readonly y: number;
}

function Bars({ run, x, y }: ChartProps) {
  const { rowCount, columns } = run.state.value;
  const sums = new Map<string, number>();
  let without = 0;
  for (let row = 0; row < rowCount; row++) {
    const value = y < 0 ? 1 : numberOf(run.term(row, y));
    if (value === undefined || !Number.isFinite(value)) {
      without++;
      continue;
    }
    const term = run.term(row, x);
    const name = !term ? '–' : term.termType === 'NamedNode' ? shownIri(term.value) : term.value;
    sums.set(name, (sums.get(name) ?? 0) + value);
  }
  const bars = [...sums].sort((a, b) => b[1] - a[1]);
  const shown = bars.slice(0, MAX_BARS);
  const most = Math.max(...shown.map(([, value]) => Math.abs(value)), 1e-12);
  return (
    <figure class="bars">
      <figcaption class="visually-hidden">{t.chart.bars(columns[x]!)}</figcaption>
      <ol>
        {shown.map(([name, value]) => (
          <li key={name}>
            <span class="clip" title={visibleText(name, 300)}>
              {visibleText(name, 60)}
            </span>
            <span class="track" aria-hidden="true">
              <span style={{ width: `${(Math.abs(value) / most) * 100}%` }} />
            </span>
            <span class="number">
              {Math.abs(value) < 0.01 ? tick(value, Math.abs(value)) : count(Math.round(value * 100) / 100)}
            </span>
          </li>
        ))}
      </ol>
      {bars.length > MAX_BARS && <p class="muted">{t.chart.more(count(bars.length - MAX_BARS))}</p>}
      {without > 0 && <p class="muted">{t.chart.without(count(without))}</p>}
    </figure>
  );
}

function Points({ run, x, y }: ChartProps) {
  const { rowCount, columns } = run.state.value;
  const points: (readonly [number, number])[] = [];
  let left = 0;
  let without = 0;
  for (let row = 0; row < rowCount; row++) {
    const point = [numberOf(run.term(row, x)) ?? Number.NaN, numberOf(run.term(row, y)) ?? Number.NaN] as const;
    if (!point.every(Number.isFinite)) without++;
    else if (points.length === MAX_POINTS) left++;
    else points.push(point);
  }
  if (points.length === 0) return <p class="muted">{t.chart.noNumbers}</p>;
  const range = (at: 0 | 1) => {
    const values = points.map((point) => point[at]);
    const low = Math.min(...values);
    const high = Math.max(...values);
    if (high > low) return { low, high };
    // One value is in the middle; adding 1 to a large number would change nothing.
    const margin = Math.max(1, Math.abs(low) / 2);
    return { low: low - margin, high: high + margin };
  };
  const [across, up] = [range(0), range(1)];
  const part = (value: number, { low, high }: { readonly low: number; readonly high: number }) =>
    // Halves, because the difference of two doubles may be infinite.
    (value / 2 - low / 2) / (high / 2 - low / 2);
  const leftOf = (value: number) => LEFT + part(value, across) * (WIDTH - LEFT - 20);
  const topOf = (value: number) => HEIGHT - 40 - part(value, up) * (HEIGHT - 60);
  return (
    <figure class="stack">
      <svg
        class="points"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={t.chart.points(columns[x]!, columns[y]!)}
      >
        {[0, 0.25, 0.5, 0.75, 1].map((share) => {
          const value = up.low * (1 - share) + share * up.high;
          const other = across.low * (1 - share) + share * across.high;
          return (
            <g key={share}>
              <line x1={LEFT} x2={WIDTH - 20} y1={topOf(value)} y2={topOf(value)} />
              <text x={LEFT - 8} y={topOf(value) + 4} text-anchor="end">
                {tick(value, up.high - up.low)}
              </text>
              <text x={leftOf(other)} y={HEIGHT - 18} text-anchor="middle">
                {tick(other, across.high - across.low)}
              </text>
            </g>
          );
        })}
        {points.map(([a, b], i) => (
          <circle key={i} cx={leftOf(a)} cy={topOf(b)} r="4" />
        ))}
      </svg>
      {left > 0 && <p class="muted">{t.chart.firstPoints(count(points.length), count(points.length + left))}</p>}
      {without > 0 && <p class="muted">{t.chart.without(count(without))}</p>}
    </figure>
  );
}
