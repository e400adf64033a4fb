import { expect, it } from 'vitest';
import { type OpenLog, OpenLogs } from '../src/open-logs.ts';

class Log implements OpenLog {
  isIdle = false;
  readonly #openLogs: OpenLogs;

  constructor(openLogs: OpenLogs) {
    this.#openLogs = openLogs;
  }

  async releaseFile(): Promise<void> {
    await Promise.resolve();
    this.#openLogs.closed(this);
  }

  becomeIdle(): void {
    this.isIdle = true;
    this.#openLogs.idle();
  }
}

/** Lets every promise that can settle do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

it.each([0, 1, 2, 3, 4, 5])(
  'a log that becomes idle %i turns after another one was requested is closed for it',
  async (turns) => {
    const openLogs = new OpenLogs(1);
    const busy = new Log(openLogs);
    await openLogs.acquire(busy);
    let isOpen = false;
    const asking = openLogs.acquire(new Log(openLogs)).then(() => {
      isOpen = true;
    });
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    busy.becomeIdle();
    await settled();
    expect(isOpen).toBe(true);
    await asking;
    expect(openLogs.size).toBe(1);
  },
);

it('serves concurrent requests of many logs within the limit of open files', async () => {
  const openLogs = new OpenLogs(2);
  let most = 0;
  const use = async (turns: number) => {
    const log = new Log(openLogs);
    await openLogs.acquire(log);
    most = Math.max(most, openLogs.size);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    log.becomeIdle();
  };
  let done = 0;
  for (let n = 0; n < 200; n++) void use(n % 7).then(() => done++);
  for (let round = 0; round < 200 && done < 200; round++) await settled();
  expect(done).toBe(200);
  expect(most).toBe(2);
});
