import { WorldsError } from '@rdf-worlds/client';
import { client } from '../../session/service.ts';
import { isAdmin } from '../../session/session.ts';
import { t } from '../../texts.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { byteSize, count } from '../../ui/numbers.ts';
import { useLoaded } from '../../ui/use-loaded.ts';

interface QuotaUse {
  readonly used: number;
  readonly limit: number | null;
}

interface Stats {
  readonly worlds: number;
  readonly quads: number;
  readonly quotas?: Readonly<Record<string, QuotaUse>>;
}

/**
 * The size of a namespace, for those who may read all of it. It is read again when `version`
 * changes.
 */
export function ServerNumbers({ namespace, version }: { namespace: string; version: number }) {
  const stats = useLoaded(
    async (signal): Promise<Stats | undefined> => {
      try {
        return (await (await client.request(`/namespaces/${namespace}/stats`, { signal })).json()) as Stats;
      } catch (error) {
        if (error instanceof WorldsError && ['PERMISSION_DENIED', 'NOT_FOUND'].includes(error.code)) return undefined;
        throw error;
      }
    },
    [namespace, version],
  );
  const metrics = useLoaded((signal) => metricsOf(signal), [isAdmin.value, version]);
  if (stats.error !== undefined) return <ErrorNote error={stats.error} />;
  const numbers: (readonly [string, string])[] = [];
  if (stats.value) {
    numbers.push([t.nav.worlds, count(stats.value.worlds)], [t.worlds.quads, count(stats.value.quads)]);
    for (const [name, { used, limit }] of Object.entries(stats.value.quotas ?? {})) {
      const shown = /bytes/i.test(name) ? byteSize : count;
      if (limit !== null) numbers.push([t.live.quota(name), `${shown(used)} / ${shown(limit)}`]);
    }
  }
  numbers.push(...(metrics.value ?? []));
  if (numbers.length === 0) return null;
  return (
    <dl class="numbers card">
      {numbers.map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd class="number">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Rows of the metrics that people ask for; where the server has no metrics, there are none. */
const METRICS: readonly (readonly [name: string, title: string, show: (value: number) => string])[] = [
  ['process_resident_memory_bytes', t.live.memory, byteSize],
  ['nodejs_heap_size_used_bytes', t.live.heap, byteSize],
  ['nodejs_eventloop_lag_p99_seconds', t.live.lag, (seconds) => `${(seconds * 1_000).toFixed(0)} ms`],
];

async function metricsOf(signal: AbortSignal): Promise<readonly (readonly [string, string])[]> {
  if (!isAdmin.value) return [];
  try {
    const text = await (await client.request('/metrics', { signal })).text();
    return METRICS.flatMap(([name, title, show]) => {
      const value = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1];
      return value === undefined ? [] : [[title, show(Number(value))] as const];
    });
  } catch (error) {
    if (error instanceof WorldsError && error.code === 'UNSUPPORTED') return [];
    throw error;
  }
}
