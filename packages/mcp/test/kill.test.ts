import { expect, it } from 'vitest';
import { callTool, textOf } from './a-client.ts';
import { aCommandClient, aFolder } from './a-command.ts';

const KILLS = Number(process.env['MCP_KILLS'] ?? 1);
const SEED = Number(process.env['MCP_KILL_SEED'] ?? 1);
/** A kill takes about a second, most of it to start the next process; more on a busy machine. */
const TIMEOUT_MS = 60_000 + KILLS * 30_000;
/** Calls that a client has under way. */
const CALLS_AT_A_TIME = 4;

/** A generator of numbers from 0 to 1 (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

it(
  `keeps every acknowledged observation through ${KILLS} kills (MCP_KILL_SEED=${SEED})`,
  async () => {
    const next = random(SEED);
    const args = ['--data', aFolder(), '--compat', 'memory'];
    const [sent, acknowledged] = [new Set<number>(), new Set<number>()];
    for (let kill = 0; kill <= KILLS; kill++) {
      const { client, transport } = await aCommandClient(args);
      const found = new Set<string>();
      // One entity for each process: read_graph would refuse to return all of them.
      for (let before = 0; before < kill; before++) {
        const result = await callTool(client, 'open_nodes', { names: [`Ada ${before}`] });
        if (result.isError) throw new Error(textOf(result));
        const { entities } = result.structuredContent as { entities: { observations: string[] }[] };
        for (const observation of entities[0]!.observations) {
          expect(found).not.toContain(observation);
          found.add(observation);
        }
      }
      for (const call of acknowledged) expect([call, found.has(`first ${call}`)]).toEqual([call, true]);
      // Nothing else than what was sent, and of each call both observations or neither.
      for (const call of sent) expect(found.has(`first ${call}`)).toBe(found.has(`second ${call}`));
      for (const observation of found) expect(sent).toContain(Number(observation.split(' ')[1]));
      if (kill === KILLS) break;
      const entityName = `Ada ${kill}`;
      const created = await callTool(client, 'create_entities', {
        entities: [{ name: entityName, entityType: 'person', observations: [] }],
      });
      if (created.isError) throw new Error(textOf(created));

      const killAfter = acknowledged.size + 1 + Math.floor(next() * 30);
      const delayMs = next() * 5;
      let isKilled = false;
      const add = async () => {
        while (!isKilled) {
          const call = sent.size;
          sent.add(call);
          const contents = [`first ${call}`, `second ${call}`];
          const result = await callTool(client, 'add_observations', {
            observations: [{ entityName, contents }],
          }).catch((error: Error) => {
            if (!isKilled) throw error;
            return undefined;
          });
          if (!result) return;
          if (result.isError) throw new Error(textOf(result));
          acknowledged.add(call);
          if (acknowledged.size !== killAfter) continue;
          // The others are at work: the kill meets one of them at any step.
          await new Promise((resolve) => setTimeout(resolve, delayMs));
          isKilled = true;
          process.kill(transport.pid!, 'SIGKILL');
        }
      };
      await Promise.all(Array.from({ length: CALLS_AT_A_TIME }, add));
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(KILLS);
    expect(sent.size - acknowledged.size).toBeLessThanOrEqual(KILLS * CALLS_AT_A_TIME);
  },
  TIMEOUT_MS,
);
