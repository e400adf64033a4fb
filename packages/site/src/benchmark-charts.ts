import { escaped } from './escaped.ts';

/** A table of Markdown. */
interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

interface Series {
  readonly name: string;
  /** By row: the value, and the least and the most that was measured. */
  readonly values: readonly (Measurement | undefined)[];
}

interface Measurement {
  readonly value: number;
  readonly least: number;
  readonly most: number;
}

const ROW_HEIGHT = 18;
const LABEL_WIDTH = 260;
const BAR_WIDTH = 420;
const VALUE_WIDTH = 90;
const WIDTH = LABEL_WIDTH + BAR_WIDTH + VALUE_WIDTH;

/** The name of a code block that is a picture. */
export const CHART = 'chart-as-svg';

/**
 * Adds charts below the tables of a document that compare by ratios. They are made of the tables,
 * so that the two cannot differ, and need no script.
 */
export function withCharts(text: string): string {
  let number = 0;
  return text.replace(/(?:^\|.*\n)+/gm, (source) => {
    const table = parse(source);
    const charts = [...ratioCharts(table), ...peerCharts(table)].map((draw) => draw(`chart-${++number}`));
    return charts.length === 0
      ? source
      : `${source}\n${charts.map((chart) => `\`\`\`${CHART}\n${chart}\n\`\`\`\n`).join('\n')}`;
  });
}

/** Draws a chart whose elements have identifiers that begin with `id`. */
type Draw = (id: string) => string;

/** A chart of each column that is named a ratio. */
function ratioCharts(table: Table): Draw[] {
  return table.header
    .map((name, column) => ({ name, column }))
    .filter(({ name, column }) => column > 0 && /ratio$/i.test(name))
    .map(({ name, column }) => seriesOf(table, seriesName(table, name, column), column))
    .filter(isLongEnough)
    .map((series) => (id) => ratioChart(id, table, series.name, [series]));
}

const WARM = 'RDF Worlds, ms';
const FIRST_LAP = 'first lap, ms';

/** In tables with these two columns, the columns of peers after each are ratios to it. */
function peerCharts(table: Table): Draw[] {
  const [warm, first] = [WARM, FIRST_LAP].map((name) => table.header.indexOf(name));
  if (warm < 0 || first < warm) return [];
  const ranges = [
    { title: 'CPU time of peers, as ratios to RDF Worlds', from: warm + 1, to: first },
    {
      title: 'CPU time of peers in their first laps, as ratios to RDF Worlds',
      from: first + 1,
      to: table.header.length,
    },
  ];
  return ranges.flatMap(({ title, from, to }) => {
    const all = table.header
      .slice(from, to)
      .map((name, at) => seriesOf(table, name, from + at))
      .filter(isLongEnough);
    return all.length === 0
      ? []
      : [(id: string) => ratioChart(id, table, all.length === 1 ? `${title}: ${all[0].name}` : title, all)];
  });
}

const isLongEnough = ({ values }: Series) => values.filter((value) => value !== undefined).length >= 3;

function parse(source: string): Table {
  const lines = source.trimEnd().split('\n');
  const cells = (line: string) =>
    line
      .slice(1, line.lastIndexOf('|'))
      .split('|')
      .map((cell) => cell.trim());
  return { header: cells(lines[0]), rows: lines.slice(2).map(cells) };
}

/** A ratio is of the column before it. */
function seriesName({ header }: Table, name: string, column: number): string {
  const before = header[column - 1];
  return column > 1 && !/ratio/i.test(before) ? `${name}: ${before}` : name;
}

function seriesOf({ rows }: Table, name: string, column: number): Series {
  return { name, values: rows.map((row) => measurementOf(row[column] ?? '')) };
}

/** Reads `1,442 (1,101-1,454)`; undefined for anything that is not a number. */
function measurementOf(cell: string): Measurement | undefined {
  const match = /^(\d[\d,]*(?:\.\d+)?)(?: \((\d[\d,]*(?:\.\d+)?)-(\d[\d,]*(?:\.\d+)?)\))?$/.exec(cell);
  if (!match) return undefined;
  const [value, least, most] = match
    .slice(1)
    .map((digits) => (digits ? Number(digits.replaceAll(',', '')) : Number.NaN));
  if (!(value > 0)) return undefined;
  return { value, least: least > 0 ? least : value, most: most > 0 ? most : value };
}

/** Marks of the series of a chart: they differ in form too, not in colour alone. */
const MARKS: readonly ((x: number, y: number) => string)[] = [
  (x, y) => `<circle class="mark mark-0" cx="${at(x)}" cy="${at(y)}" r="4"/>`,
  (x, y) => `<rect class="mark mark-1" x="${at(x - 3.5)}" y="${at(y - 3.5)}" width="7" height="7"/>`,
  (x, y) => `<path class="mark mark-2" d="M${at(x)} ${at(y - 5)}l5 5-5 5-5-5z"/>`,
];

/**
 * Draws ratios on a logarithmic scale: one series as bars from 1, with a line from the least to the
 * most that was measured; several as a mark each.
 */
function ratioChart(id: string, { rows }: Table, title: string, series: readonly Series[]): string {
  const isSingle = series.length === 1;
  const shown = rows.flatMap(([label], row) => {
    const measured = series.map(({ values }) => values[row]);
    return measured.some((each) => each !== undefined) ? [{ label, measured }] : [];
  });
  const all = shown.flatMap(({ label, measured }) =>
    measured.flatMap((each, at) => (each ? [{ ...each, label, name: series[at].name }] : [])),
  );
  const low = Math.min(1, ...all.map(({ least }) => least));
  const high = Math.max(2, ...all.map(({ most }) => most));
  const x = (value: number) => LABEL_WIDTH + (Math.log(value / low) / Math.log(high / low)) * BAR_WIDTH;
  const height = (shown.length + 1) * ROW_HEIGHT + 8;
  const ticks = [0.1, 0.5, 1, 2, 5, 10, 100, 1000, 10_000].filter((tick) => tick >= low && tick <= high);
  const grid = ticks.map(
    (tick) =>
      `<line class="${tick === 1 ? 'one' : 'tick'}" x1="${at(x(tick))}" x2="${at(x(tick))}" y1="0" y2="${height - ROW_HEIGHT}"/>` +
      `<text class="scale" x="${at(x(tick))}" y="${height - 6}">${tick.toLocaleString('en')}</text>`,
  );
  const bar = ({ value, least, most }: Measurement, y: number) => {
    const [left, right] = [Math.min(x(1), x(value)), Math.max(x(1), x(value))];
    return (
      `<rect class="bar" x="${at(left)}" y="${y + 4}" width="${at(Math.max(1, right - left))}" height="${ROW_HEIGHT - 8}"/>` +
      `<line class="range" x1="${at(x(least))}" x2="${at(x(most))}" y1="${y + 9}" y2="${y + 9}"/>` +
      `<text class="value" x="${at(Math.max(right, x(most)) + 6)}" y="${y + 13}">${value.toLocaleString('en')}</text>`
    );
  };
  const drawn = shown.map(({ label, measured }, row) => {
    const y = row * ROW_HEIGHT;
    const marks = measured.map((each, at) =>
      each === undefined ? '' : isSingle ? bar(each, y) : MARKS[at](x(each.value), y + ROW_HEIGHT / 2),
    );
    return `<text class="label" x="${LABEL_WIDTH - 8}" y="${y + 13}">${escaped(shortened(label))}</text>${marks.join('')}`;
  });
  const legend = isSingle
    ? ''
    : `<p class="legend">${series
        .map(
          ({ name }, at) =>
            `<span><svg viewBox="0 0 12 12" aria-hidden="true">${MARKS[at](6, 6)}</svg>${escaped(name)}</span>`,
        )
        .join('')}</p>`;
  return (
    `<figure class="chart"><figcaption>${escaped(title)}</figcaption>${legend}` +
    `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id}-title ${id}-text">` +
    `<title id="${id}-title">${escaped(title)}, on a logarithmic scale</title>` +
    `<desc id="${id}-text">${escaped(summary(all, isSingle))}</desc>${grid.join('')}${drawn.join('')}</svg></figure>`
  );
}

/** What a chart shows, in words. */
function summary(
  all: readonly { readonly value: number; readonly label: string; readonly name: string }[],
  isSingle: boolean,
): string {
  const sorted = [...all].sort((one, other) => one.value - other.value);
  const told = ({ value, label, name }: (typeof all)[number]) =>
    `${value.toLocaleString('en')} (${label.replaceAll('`', '')}${isSingle ? '' : `, ${name}`})`;
  const below = all.filter(({ value }) => value < 1).length;
  return (
    `${all.length} ratios from ${told(sorted[0])} to ${told(sorted[sorted.length - 1])}; ` +
    `${below === 0 ? 'none is' : below === 1 ? '1 is' : `${below} are`} below 1. The table above has all of them.`
  );
}

const at = (value: number) => value.toFixed(1);

function shortened(label: string): string {
  const plain = label.replaceAll('`', '');
  return plain.length > 38 ? `${plain.slice(0, 37)}…` : plain;
}
