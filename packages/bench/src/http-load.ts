import type { Benchmark } from './benchmark.ts';
import { figure, spread } from './figure.ts';
import { type HttpLoad, loadHttp } from './http-connections.ts';
import { GET_WORLD, HTTP_MIX, mixedRequest } from './http-mix.ts';
import { HttpServerProcess, type HttpServerUsage } from './http-server-process.ts';
import { type OptionValues, SEED_OPTION } from './option.ts';
import { RandomNumbers } from './random-numbers.ts';
import { quantile, statistics } from './statistics.ts';

const OPTIONS = {
  connections: { kind: 'integer', default: 50, min: 1, meaning: 'connections, each with one request at a time' },
  seconds: {
    kind: 'integer',
    default: 30,
    min: 3,
    meaning: 'of mixed load; memory is read after a third, and at the end',
  },
  rounds: {
    kind: 'integer',
    default: 5,
    min: 1,
    meaning: 'rounds of the cost of a request, after one that does not count',
  },
  requests: { kind: 'integer', default: 5000, min: 100, meaning: 'requests in each of these rounds' },
  seed: SEED_OPTION,
} as const;

type HttpSettings = OptionValues<typeof OPTIONS>;

export interface HttpResult {
  readonly echo: HttpLoad;
  /** The first third of the mixed load, and the rest. */
  readonly mixed: readonly [HttpLoad, HttpLoad];
  /** After the first third, and at the end. */
  readonly usage: readonly [HttpServerUsage, HttpServerUsage];
  /** CPU microseconds of the server process per request, one value per round. */
  readonly cpuUs: { readonly echo: readonly number[]; readonly world: readonly number[] };
}

export const httpBenchmark: Benchmark<typeof OPTIONS> = {
  name: 'http',
  summary: 'the service over sockets, beside a bare node:http echo',
  options: OPTIONS,
  async run(settings, progress) {
    const result = await measureHttp(settings, progress);
    const { echo, mixed, usage, cpuUs } = result;
    const latencies = mixed.flatMap((load) => load.latenciesMs);
    const mib = (bytes: number) => figure(bytes / 2 ** 20, 1);
    const rate = (...loads: readonly HttpLoad[]) => figure((1000 * total(loads, 'requests')) / total(loads, 'wallMs'));
    const ratios = cpuUs.world.map((us, round) => us / cpuUs.echo[round]);
    const growth = usage[1].rss / usage[0].rss - 1;
    return {
      settings: [
        `${settings.connections} connections on loopback; each server in a process of its own, the clients in another; seed ${settings.seed}`,
        `mixed load for ${settings.seconds} s: ${HTTP_MIX}`,
      ],
      tables: [
        {
          title: 'Throughput and latency',
          columns: ['', 'requests', 'errors', 'requests per s', 'p50, ms', 'p99, ms'],
          rows: [
            ['RDF Worlds, mixed', latencies, mixed] as const,
            ['node:http echo, GET', echo.latenciesMs, [echo]] as const,
          ].map(([name, all, loads]) => [
            name,
            figure(total(loads, 'requests')),
            figure(loads.flatMap(({ errors }) => errors).length),
            rate(...loads),
            figure(quantile(all, 0.5), 2),
            figure(quantile(all, 0.99), 2),
          ]),
        },
        {
          title: 'Cost of one request, CPU of the server',
          columns: ['', 'µs', 'ratio'],
          rows: [
            ['RDF Worlds, GET world', spread(statistics(cpuUs.world), 1), spread(statistics(ratios), 2)],
            ['node:http echo, GET', spread(statistics(cpuUs.echo), 1), '1'],
          ],
        },
        {
          title: 'Memory of the service, settled',
          columns: ['', 'RSS, MiB'],
          rows: [
            ['after a third of the load', mib(usage[0].rss)],
            ['at the end', mib(usage[1].rss)],
            ['growth, %', figure(100 * growth, 1)],
          ],
        },
      ],
      notes: [
        'Figures are median (least-most). The echo answers a GET with a body as long as a world, and reads neither token nor path.',
        'Memory is read with no request under way, after full collections until nothing more is freed. The writes of the mix leave as much behind as there was.',
        'On a machine of two cores the clients and the server share them: throughput is a floor.',
      ],
    };
  },
};

/** Runs the measurement. Throws if a request failed. */
export async function measureHttp(settings: HttpSettings, progress: (message: string) => void): Promise<HttpResult> {
  const { connections, seconds, rounds, requests, seed } = settings;
  const random = new RandomNumbers(seed);
  progress('starting the servers');
  const echo = await HttpServerProcess.start('node:http echo');
  const worlds = await HttpServerProcess.start('RDF Worlds');
  try {
    const mix = { port: worlds.port, connections, next: () => mixedRequest(random) };
    const bare = { port: echo.port, connections, next: () => GET_WORLD };
    progress('warm-up');
    await sound(loadHttp({ ...mix, durationMs: 1000 }));
    await sound(loadHttp({ ...bare, durationMs: 500 }));
    progress('node:http echo');
    const echoed = await sound(loadHttp({ ...bare, durationMs: (seconds * 1000) / 6 }));
    progress('mixed load');
    const first = await sound(loadHttp({ ...mix, durationMs: (seconds * 1000) / 3 }));
    const between = await worlds.usage({ settle: true });
    const second = await sound(loadHttp({ ...mix, durationMs: (seconds * 2000) / 3 }));
    const after = await worlds.usage({ settle: true });
    progress('cost of a request');
    const cpuUs = { echo: [] as number[], world: [] as number[] };
    for (let round = 0; round <= rounds; round++) {
      const one = await cpuPerRequest(echo, connections, requests);
      const other = await cpuPerRequest(worlds, connections, requests);
      if (round === 0) continue;
      cpuUs.echo.push(one);
      cpuUs.world.push(other);
    }
    return { echo: echoed, mixed: [first, second], usage: [between, after], cpuUs };
  } finally {
    await echo.stop();
    await worlds.stop();
  }
}

async function cpuPerRequest(server: HttpServerProcess, connections: number, requests: number): Promise<number> {
  const { cpuMs: before } = await server.usage({ settle: false });
  const load = await sound(loadHttp({ port: server.port, connections, requests, next: () => GET_WORLD }));
  const { cpuMs: after } = await server.usage({ settle: false });
  return (1000 * (after - before)) / load.requests;
}

async function sound(loading: Promise<HttpLoad>): Promise<HttpLoad> {
  const load = await loading;
  if (load.errors.length > 0) throw new Error(`Requests failed: ${load.errors.slice(0, 5).join('; ')}`);
  return load;
}

function total(loads: readonly HttpLoad[], field: 'requests' | 'wallMs'): number {
  return loads.reduce((sum, load) => sum + load[field], 0);
}
