import { type RunnerTask, TestRunner } from 'vitest';
import { startTests, Traces } from 'vitest/internal/browser';
import { eventLoopUtilization } from './node/event-loop-utilization.ts';

/** What a test file did in the page. */
export interface FileResult {
  readonly passed: number;
  /** Full names of tests that skip themselves. */
  readonly skipped: readonly string[];
  readonly failures: readonly TestFailure[];
}

export interface TestFailure {
  /** Full name; that of the file if it failed outside its tests. */
  readonly test: string;
  readonly message: string;
}

type Config = ConstructorParameters<typeof TestRunner>[0];

const CONFIG = {
  root: '/',
  // Hashes in JavaScript take several times as long as those of Node.
  testTimeout: 240_000,
  hookTimeout: 60_000,
  retry: 0,
  maxConcurrency: 5,
  passWithNoTests: false,
  includeTaskLocation: false,
  tags: [],
  tagsFilter: undefined,
  chaiConfig: undefined,
  expect: { poll: { timeout: 30_000 } },
  sequence: { hooks: 'stack', setupFiles: 'parallel', seed: 1, concurrent: false, shuffle: false },
  setupFiles: [],
  fakeTimers: {},
  experimental: { importDurations: { limit: 0 }, viteModuleRunner: false },
  snapshotOptions: {
    updateSnapshot: 'none',
    // Only snapshots in the sources of tests.
    snapshotEnvironment: {
      getVersion: () => '1',
      getHeader: () => '',
      resolvePath: async (path: string) => path,
      readSnapshotFile: async () => null,
    },
  },
} as unknown as Config;

/**
 * The test runner of Vitest, without what it keeps in files. Test files are modules of the server.
 */
class PageRunner extends TestRunner {
  override importFile(path: string): unknown {
    return import(path);
  }

  /** Vitest would save the snapshots here. */
  override async onAfterRunSuite(): Promise<void> {}
}

async function runFile(path: string): Promise<FileResult> {
  const runner = new PageRunner(CONFIG);
  runner.__setTraces(new Traces({ enabled: false }));
  const [file] = await startTests([path], runner);
  const skipped: string[] = [];
  const failures: TestFailure[] = [];
  let passed = 0;
  const nameOf = (task: RunnerTask): string => (task.suite ? `${nameOf(task.suite)} > ${task.name}` : task.name);
  const visit = (task: RunnerTask) => {
    const errors = task.result?.errors ?? [];
    if (task.result?.state === 'fail' && (task.type === 'test' || errors.length > 0))
      failures.push({
        test: nameOf(task),
        message: errors.map(({ message, diff = '', stack }) => [message, diff, stack].join('\n')).join('\n'),
      });
    else if (task.type === 'test' && task.mode !== 'run') skipped.push(nameOf(task));
    else if (task.type === 'test') passed++;
    if ('tasks' in task) task.tasks.forEach(visit);
  };
  visit(file);
  return { passed, skipped, failures };
}

const { __vitest_worker__: state } = globalThis as unknown as { readonly __vitest_worker__: { config: Config } };
state.config = CONFIG;
Object.assign(performance, { eventLoopUtilization });
Object.assign(globalThis, { runFile });
