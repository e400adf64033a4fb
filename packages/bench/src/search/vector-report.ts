import { figure } from '../figure.ts';
import type { Table } from '../table.ts';
import { latencyRatio, medianLatency } from './latency.ts';
import type { VectorResult } from './measure-vectors.ts';
import { short } from './text-report.ts';

export function vectorTables({ costs, classes }: VectorResult, vectors: number): Table[] {
  const own = costs[0];
  return [
    {
      title: 'Vectors: building',
      columns: ['', 'vectors per CPU s', 'CPU ratio'],
      rows: costs.map(({ name, build }) => [
        name,
        figure((1000 * vectors) / build.cpuMs),
        figure(build.cpuMs / own.build.cpuMs, 1),
      ]),
    },
    {
      title: 'Vectors: the ten nearest; p50, ms',
      columns: [
        'allowed',
        ...costs.flatMap(({ name }, at) => [`${name}, recall`, 'CPU', 'wall', ...(at > 0 ? ['CPU ratio'] : [])]),
      ],
      rows: classes.map(({ share, latencies, recall }) => [
        share === 1 ? 'all' : `${share * 100} %`,
        ...latencies.flatMap((each, at) => [
          figure(recall[at], 3),
          short(medianLatency(each, 'cpuMs')),
          short(medianLatency(each, 'wallMs')),
          ...(at > 0 ? [figure(latencyRatio(each, latencies[0], 'cpuMs'), 1)] : []),
        ]),
      ]),
    },
  ];
}
