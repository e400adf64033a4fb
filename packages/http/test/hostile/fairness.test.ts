import { afterAll, describe, expect, it } from 'vitest';
import type { Attack } from './attack.ts';
import { HEAVY_QUERY, together } from './attacks/connections.ts';
import { countedFaults, percentile } from './figures.ts';
import { Watch } from './watched.ts';

const { HOSTILE } = process.env;

/**
 * So much longer may the other tenant's point query take than beside one heavy query, in
 * milliseconds.
 */
const SHARE_MS = 25;
const TIMEOUT_MS = 5_000;
const CALLERS = [1, 10, 50, 200];

// Whom the event loop is given to is counted in the tests of turns; what that is by the clock needs
// an idle machine.
describe.runIf(HOSTILE)('heavy queries of one tenant', () => {
  const watch = new Watch({ timeoutMs: TIMEOUT_MS });
  afterAll(() => watch.close());

  it('cost point queries of another tenant little, however many they are', { timeout: 300_000, retry: 0 }, async () => {
    const attack: Attack = {
      name: 'heavy queries',
      route: 'sparqlWorld',
      at: (callers) => together(HEAVY_QUERY, callers),
      statuses: [200, 400, 429, 503],
    };
    const p99: number[] = [];
    process.stdout.write('heavy queries | point queries | median, p90, p99 and most ms | CPU ms\n');
    for (const callers of CALLERS) {
      const observation = await watch.run(attack, callers);
      expect(countedFaults(attack, { size: callers, observation })).toEqual([]);
      const { victimMs, cpuMs } = observation;
      const times = [0.5, 0.9, 0.99, 1].map((part) => percentile(victimMs, part).toFixed(1));
      process.stdout.write(`${callers} | ${victimMs.length} | ${times.join(', ')} | ${Math.round(cpuMs)}\n`);
      p99.push(percentile(victimMs, 0.99));
    }
    if (HOSTILE !== 'busy') for (const each of p99) expect(each).toBeLessThan(p99[0] + SHARE_MS);
  });
});
