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

/** Adds a chart below each table of a document that compares something by ratios. */
export function withCharts(text: string): string {
  return text.replace(/(?:^\|.*\n)+/gm, (source) => {
    const table = parse(source);
    const charts = table.header
      .map((name, column) => ({ name, column }))
      .filter(({ name, column }) => column > 0 && /ratio$/i.test(name))
      .map(({ name, column }) => ratioChart(table, seriesOf(table, seriesName(table, name, column), column)))
      .filter((chart) => chart !== '');
    return charts.length === 0
      ? source
      : `${source}\n${charts.map((chart) => `\`\`\`${CHART}\n${chart}\n\`\`\`\n`).join('\n')}`;
  });
}

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

/** Reads `1,442 (1,101-1,454)`; undefined for what is no number. */
function measurementOf(cell: string): Measurement | undefined {
  const match = /^(\d[\d,]*(?:\.\d+)?)(?: \((\d[\d,]*(?:\.\d+)?)-(\d[\d,]*(?:\.\d+)?)\))?$/.exec(cell);
  if (!match) return undefined;
  const [value, least, most] = match
    .slice(1)
    .map((digits) => (digits ? Number(digits.replaceAll(',', '')) : Number.NaN));
  if (!(value > 0)) return undefined;
  return { value, least: least > 0 ? least : value, most: most > 0 ? most : value };
}

/** Draws ratios as bars from 1, on a logarithmic scale, with a line from the least to the most. */
function ratioChart({ rows }: Table, { name, values }: Series): string {
  const shown = values.flatMap((measurement, row) => (measurement ? [{ label: rows[row][0], ...measurement }] : []));
  if (shown.length < 3) return '';
  const low = Math.min(1, ...shown.map(({ least }) => least));
  const high = Math.max(2, ...shown.map(({ most }) => most));
  const x = (value: number) => LABEL_WIDTH + (Math.log(value / low) / Math.log(high / low)) * BAR_WIDTH;
  const height = (shown.length + 1) * ROW_HEIGHT + 8;
  const ticks = [0.1, 0.5, 1, 2, 5, 10, 100, 1000, 10_000].filter((tick) => tick >= low && tick <= high);
  const grid = ticks.map(
    (tick) =>
      `<line class="${tick === 1 ? 'one' : 'tick'}" x1="${at(x(tick))}" x2="${at(x(tick))}" y1="0" y2="${height - ROW_HEIGHT}"/>` +
      `<text class="scale" x="${at(x(tick))}" y="${height - 6}">${tick.toLocaleString('en')}</text>`,
  );
  const bars = shown.map(({ label, value, least, most }, row) => {
    const y = row * ROW_HEIGHT;
    const [left, right] = [Math.min(x(1), x(value)), Math.max(x(1), x(value))];
    return (
      `<text class="label" x="${LABEL_WIDTH - 8}" y="${y + 13}">${escaped(shortened(label))}</text>` +
      `<rect class="bar" x="${at(left)}" y="${y + 4}" width="${at(Math.max(1, right - left))}" height="${ROW_HEIGHT - 8}"/>` +
      `<line class="range" x1="${at(x(least))}" x2="${at(x(most))}" y1="${y + 9}" y2="${y + 9}"/>` +
      `<text class="value" x="${at(Math.max(right, x(most)) + 6)}" y="${y + 13}">${value.toLocaleString('en')}</text>`
    );
  });
  const title = `${name}, logarithmic scale; the numbers are in the table above`;
  return (
    `<figure class="chart"><figcaption>${escaped(name)}</figcaption>` +
    `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">${grid.join('')}${bars.join('')}</svg></figure>`
  );
}

const at = (value: number) => value.toFixed(1);

function shortened(label: string): string {
  const plain = label.replaceAll('`', '');
  return plain.length > 38 ? `${plain.slice(0, 37)}…` : plain;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('{', '&#123;');
}
