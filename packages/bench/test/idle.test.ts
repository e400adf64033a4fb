import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cpuTail } from '../src/cpu-tail.ts';
import { becomeIdle, collectBeforeMeasuring } from '../src/idle.ts';

beforeEach(() => collectBeforeMeasuring(true));
afterEach(() => collectBeforeMeasuring(false));

it('collects unreachable objects and runs their finalizers before the process counts as idle', async () => {
  let finalized = 0;
  const registry = new FinalizationRegistry(() => finalized++);
  for (let i = 0; i < 100; i++) registry.register({ i }, i);
  await sleep(0);
  await becomeIdle();
  expect(finalized).toBe(100);
});

it('measures the time and CPU time of work that continues after the call', async () => {
  let turns = 5;
  const work = () => {
    for (const end = performance.now() + 10; performance.now() < end; );
    if (--turns > 0) setImmediate(work);
  };
  setImmediate(work);
  const { cpuMs, wallMs } = await cpuTail();
  expect(turns).toBe(0);
  expect(cpuMs).toBeGreaterThan(0);
  expect(wallMs).toBeGreaterThan(0);
});
