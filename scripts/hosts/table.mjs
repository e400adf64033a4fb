import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../workspace-packages.mjs';

const FILE = join(ROOT, 'docs/reference/hosts.md');
const HEADER = ['host', 'version', 'on', 'what is run', 'result', 'what to configure'];

const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells) => `| ${cells.map(cell).join(' | ')} |`;

/** The page, split around the rows of its table: `{ before, rows, after }`. */
function readPage() {
  const lines = readFileSync(FILE, 'utf8').split('\n');
  const first = lines.indexOf(row(HEADER)) + 2;
  if (first < 2) throw new Error(`${FILE} has no table with the header ${row(HEADER)}`);
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'));
  return {
    before: lines.slice(0, first),
    rows: lines.slice(first, first + length),
    after: lines.slice(first + length),
  };
}

/** Returns the rows of the page as `{ name, version, on, does, result, settings }`. */
export function tableRows() {
  return readPage().rows.map((line) => {
    const [name, version, on, does, result, settings] = line
      .slice(2, -2)
      .split(/ \| /)
      .map((text) => text.replaceAll('\\|', '|').trim());
    return { name, version, on, does, result, settings };
  });
}

/**
 * Writes results, `{ host, version, result }`, to the page. Rows of hosts without a new result stay
 * as they are; rows of hosts that are not in `hosts` are removed.
 */
export function writeTable(hosts, results) {
  const { before, rows, after } = readPage();
  const lines = new Map(rows.map((line) => [line.slice(2, line.indexOf(' |')), line]));
  const system = `${process.platform} ${process.arch}`;
  for (const { host, version, result } of results) {
    const on = host.runtime ? system : `Node ${process.versions.node}, ${system}`;
    lines.set(host.name, row([host.name, version, on, host.does, result, host.settings ?? 'nothing']));
  }
  const known = hosts.map(({ name }) => lines.get(name)).filter((line) => line !== undefined);
  writeFileSync(FILE, [...before, ...known, ...after].join('\n'));
}
