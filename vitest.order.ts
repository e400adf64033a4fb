import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Test files that take long, longest first. They start before the others of their project, so that
 * the last worker does not run one of them while the others have nothing left to do. Vitest itself
 * knows from earlier runs which those are, but a fresh checkout has none.
 */
export const LONG: readonly string[] = [
  // These collect garbage dozens of times, which takes longer the more an earlier file left behind.
  'packages/core/test/engine/claimed-memory.test.ts',
  'packages/core/test/engine/request-memory.test.ts',
  'packages/core/test/sparql/differential/differential.test.ts',
  'packages/core/test/sparql/differential/planted-faults.test.ts',
  'packages/core/test/engine/durable/crash/power-cut.test.ts',
  'packages/core/test/engine/durable/memory-default.test.ts',
  'packages/core/test/engine/simulation/planted-faults.test.ts',
  'packages/core/test/engine/durable/engine-suite-on-postgres.test.ts',
  'packages/core/test/engine/durable/engine-suite-on-pglite.test.ts',
  'packages/core/test/engine/durable/engine-suite-on-files.test.ts',
  'packages/core/test/engine/durable/stored-texts.test.ts',
  'packages/core/test/quads/quad-source-contract.test.ts',
  'packages/core/test/search/vector/scanned-vector-index.test.ts',
  'packages/core/test/search/text/document-postings.test.ts',
  'packages/core/test/engine/search-filter.test.ts',
  'packages/core/test/sparql/hostile-queries.test.ts',
  'packages/core/test/engine/durable/salvage.test.ts',
  'packages/core/test/engine/cranfield.test.ts',
  'packages/core/test/quads/withdrawn-terms.test.ts',
  'packages/core/test/sparql/subject-order.test.ts',
  'packages/bench/test/collection.test.ts',
  'packages/bench/test/load.test.ts',
  'packages/cli/test/serve.test.ts',
  'packages/cli/test/readme.test.ts',
  'packages/console/test/views.test.ts',
  'packages/console/test/sparql.test.ts',
  'packages/http/test/hostile/attacks.test.ts',
  'packages/storage-file/test/containers.test.ts',
  'packages/storage-file/test/kill.test.ts',
  'packages/storage-file/test/power-cut/fence.test.ts',
  'packages/storage-postgres/test/partition.test.ts',
  'packages/storage-postgres/test/two-processes.test.ts',
  'packages/testkit/test/simulation/simulate.test.ts',
  'test/documents.test.ts',
];

/**
 * Projects in the order in which they run; the others come before these. Core has hundreds of short
 * files, which fill the workers to the end.
 */
const LAST: readonly string[] = ['core'];

/** Runs projects one after the other, and in each the long test files first. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const { root } = this.ctx.config;
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.indexOf(relative(root, moduleId).replaceAll('\\', '/'));
      return at === -1 ? LONG.length : at;
    };
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    const place = ({ project }: TestSpecification) =>
      projects.indexOf(project.name) + (LAST.indexOf(project.name) + 1) * projects.length;
    // The sort is stable: what is equal here stays in Vitest's order.
    return sorted.sort((one, other) => place(one) - place(other) || rank(one) - rank(other));
  }
}
