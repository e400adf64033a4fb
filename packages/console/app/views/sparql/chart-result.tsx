import { useState } from 'preact/hooks';
import { shownIri } from '../../rdf/term-view.tsx';
import { t } from '../../texts.ts';
import { count } from '../../ui/numbers.ts';
import { visibleText } from '../../ui/visible.tsx';
import type { QueryRun } from './query-run.ts';

const MAX_BARS = 40;
const MAX_POINTS = 5_000;
const SAMPLED = 200;
const WIDTH = 760;
const HEIGHT = 360;

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
  return (
    <div class="stack" style={{ padding: '14px 16px' }}>
      <div class="row wrap">
        <label class="row">
          <span class="muted">{t.chart.across}</span>
          <select class="select plain" value={x} onChange={(event) => setX(Number(event.currentTarget.value))}>
            {columns.map((name, i) => (
              <option key={name} value={i}>
                ?{name}
              </option>
            ))}
          </select>
        </label>
        <label class="row">
          <span class="muted">{t.chart.up}</span>
          <select class="select plain" value={y} onChange={(event) => setY(Number(event.currentTarget.value))}>
            <option value={-1}>{t.chart.count}</option>
            {numbers.map((column) => (
              <option key={column} value={column}>
                ?{columns[column]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {isScatter ? <Points run={run} x={x} y={y} /> : <Bars run={run} x={x} y={y} />}
    </div>
  );
}

function isNumeric(run: QueryRun, column: number, rowCount: number): boolean {
  let found = 0;
  for (let row = 0; row < Math.min(rowCount, SAMPLED); row++) {
    const term = run.term(row, column);
    if (!term) continue;
    if (term.termType !== 'Literal' || term.value.trim() === '' || Number.isNaN(Number(term.value))) return false;
    found++;
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
  for (let row = 0; row < rowCount; row++) {
    const term = run.term(row, x);
    const name = !term ? '–' : term.termType === 'NamedNode' ? shownIri(term.value) : term.value;
    const value = y < 0 ? 1 : Number(run.term(row, y)?.value ?? 0);
    sums.set(name, (sums.get(name) ?? 0) + (Number.isFinite(value) ? value : 0));
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
            <span class="number">{count(Math.round(value * 100) / 100)}</span>
          </li>
        ))}
      </ol>
      {bars.length > MAX_BARS && <p class="muted">{t.chart.more(count(bars.length - MAX_BARS))}</p>}
    </figure>
  );
}

function Points({ run, x, y }: ChartProps) {
  const { rowCount, columns } = run.state.value;
  const points: (readonly [number, number])[] = [];
  for (let row = 0; row < rowCount && points.length < MAX_POINTS; row++) {
    const point = [Number(run.term(row, x)?.value), Number(run.term(row, y)?.value)] as const;
    if (point.every(Number.isFinite)) points.push(point);
  }
  const range = (at: 0 | 1) => {
    const values = points.map((point) => point[at]);
    const low = Math.min(...values);
    const high = Math.max(...values);
    return high > low ? { low, high } : { low: low - 1, high: high + 1 };
  };
  const [across, up] = [range(0), range(1)];
  const left = (value: number) => 60 + ((value - across.low) / (across.high - across.low)) * (WIDTH - 80);
  const top = (value: number) => HEIGHT - 40 - ((value - up.low) / (up.high - up.low)) * (HEIGHT - 60);
  return (
    <svg
      class="points"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={t.chart.points(columns[x]!, columns[y]!)}
    >
      {[0, 0.25, 0.5, 0.75, 1].map((part) => {
        const value = up.low + part * (up.high - up.low);
        const other = across.low + part * (across.high - across.low);
        return (
          <g key={part}>
            <line x1="60" x2={WIDTH - 20} y1={top(value)} y2={top(value)} />
            <text x="52" y={top(value) + 4} text-anchor="end">
              {count(Math.round(value * 100) / 100)}
            </text>
            <text x={left(other)} y={HEIGHT - 18} text-anchor="middle">
              {count(Math.round(other * 100) / 100)}
            </text>
          </g>
        );
      })}
      {points.map(([a, b], i) => (
        <circle key={i} cx={left(a)} cy={top(b)} r="4" />
      ))}
    </svg>
  );
}
