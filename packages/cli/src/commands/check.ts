import type { CheckResult, WorldsEngine } from '@rdf-worlds/core';
import { Option } from 'commander';
import type { Command } from '../command.ts';
import { DURABLE_OPTIONS, READ_ONLY_OPTION, withDurable } from '../durable-storage.ts';
import { inWordsOf } from '../library-words.ts';
import { writeText } from '../output.ts';
import { salvageText } from '../salvage-text.ts';
import { StatusLine } from '../status-line.ts';
import { UsageError } from '../usage-error.ts';

export const check: Command = {
  name: 'check',
  summary: 'Verify a directory or a database: checksums, and that all indexes contain the same quads.',
  options: [
    ...DURABLE_OPTIONS,
    READ_ONLY_OPTION,
    new Option(
      '--repair',
      'repair namespaces that have lost no data; the previous files are kept in the directory salvaged',
    ),
  ],
  notes: ['Without --repair, nothing is changed. The exit code is 1 if there are problems.'],
  async run(given) {
    const repairs = given.flag('repair');
    if (repairs && given.flag('read-only'))
      throw new UsageError('--repair writes, so it cannot be combined with --read-only.');
    const words = inWordsOf(given);
    await withDurable(given, async (engine) => {
      if (repairs) await repair(engine);
      const { namespaces, problems, strays } = await checked(engine);
      await writeText((strays ?? []).map((path) => `ignored, not created by the storage: ${path}\n`).join(''));
      await writeText(
        problems.map(({ namespace, problem }) => `${namespace ?? 'storage'}: ${words(problem)}\n`).join(''),
      );
      if (problems.length > 0) throw new Error(`${problems.length} problems in ${namespaces} namespaces.`);
      await writeText(`${namespaces} namespaces, no problems.\n`);
    });
  },
};

/** Runs `engine.check` and shows its progress on a terminal. */
async function checked(engine: WorldsEngine): Promise<CheckResult> {
  const status = new StatusLine('checking');
  try {
    return await engine.check({
      onProgress: status.of('checking'),
    });
  } finally {
    status.end();
  }
}

/** Repairs each namespace that has problems, if possible, and prints a report for each. */
async function repair(engine: WorldsEngine): Promise<void> {
  const { problems } = await checked(engine);
  for (const namespace of new Set(problems.map((problem) => problem.namespace))) {
    if (namespace === null) continue;
    const report = await engine.salvage({ namespace, repair: true });
    await writeText(salvageText(report));
    if (report.missing.length > 0)
      await writeText(`  not repaired: salvage --namespace ${namespace} --output FILE.nq writes the remaining data.\n`);
  }
}
