import { figure, significantDigits } from '../figure.ts';
import { quantile } from '../statistics.ts';
import type { Lap } from '../stopwatch.ts';
import type { Table } from '../table.ts';
import { latencyRatio, medianLatency } from './latency.ts';
import type { DocumentMemory } from './measure-documents.ts';
import type { TextResult } from './measure-texts.ts';

/** Formats a number with three significant digits. */
export function short(value: number): string {
  return figure(value, significantDigits(value));
}

/** The others are compared with the first system. */
export function textTables({ costs, classes }: TextResult, documents: number): Table[] {
  const own = costs[0];
  const microseconds = (laps: readonly Lap[]) =>
    short(
      1000 *
        quantile(
          laps.map(({ cpuMs }) => cpuMs),
          0.5,
        ),
    );
  return [
    {
      title: 'Texts: building, memory, updates',
      columns: ['', 'k documents per CPU s', 'CPU ratio', 'B/document', 'removal, CPU µs', 'addition, CPU µs'],
      rows: costs.map(({ name, build, bytes, removals, additions }) => [
        name,
        short(documents / build.cpuMs),
        figure(build.cpuMs / own.build.cpuMs, 2),
        figure(bytes / documents, 1),
        microseconds(removals),
        microseconds(additions),
      ]),
    },
    {
      title: 'Texts: queries for the best ten, p50, ms',
      columns: ['', ...costs.flatMap(({ name }, at) => [`${name}, CPU`, 'wall', ...(at > 0 ? ['CPU ratio'] : [])])],
      rows: classes.map(({ name, latencies }) => [
        name,
        ...costs.flatMap((system, at) => {
          const found = latencies.find((each) => each.name === system.name);
          if (!found) return ['-', '-', '-'];
          const times = [short(medianLatency(found, 'cpuMs')), short(medianLatency(found, 'wallMs'))];
          return at === 0 ? times : [...times, figure(latencyRatio(found, latencies[0], 'cpuMs'), 1)];
        }),
      ]),
    },
  ];
}

export function documentTable({ documents, indexBytes, documentBytes }: DocumentMemory): Table {
  return {
    title: 'Texts in an engine, B/document',
    columns: ['documents', 'index', 'columns and map of documents'],
    rows: [[figure(documents), figure(indexBytes / documents, 1), figure(documentBytes / documents, 1)]],
  };
}
