import { roundSource } from './round.mjs';

const MODULES = 'NODE_OPTIONS=--experimental-vm-modules';
/** Returns the round as a test; `kind` as in `roundSource`. */
const test = (kind) => `${roundSource(kind)}
it('does the round', async () => {
  const done = await run();
  if (done !== 'in memory, durable') throw new Error(done);
});
`;

const jest = ({ name, kind, manifest, settings }) => ({
  name,
  install: ['jest@^30'],
  version: 'jest',
  does: 'the round in a test',
  settings,
  async run(workshop) {
    workshop.write({
      'package.json': JSON.stringify({ private: true, ...manifest }),
      'jest.test.js': test(kind),
    });
    const args = ['--experimental-vm-modules', workshop.bin('jest'), '--ci', '--testTimeout=120000'];
    return [await workshop.node(args)];
  },
  done: /Tests:\s+1 passed/,
});

export const TEST_RUNNERS = [
  {
    name: 'Mocha',
    install: ['mocha@^11'],
    version: 'mocha',
    does: 'the round in a test, as an ES module and as CommonJS',
    async run(workshop) {
      workshop.write({ 'mocha.test.mjs': test('esm'), 'mocha.test.cjs': test('cjs') });
      const args = [workshop.bin('mocha'), '--timeout', '120000', 'mocha.test.mjs', 'mocha.test.cjs'];
      return [await workshop.node(args)];
    },
    done: /2 passing/,
  },
  jest({
    name: 'Jest, CommonJS',
    kind: 'dynamic',
    manifest: { type: 'commonjs' },
    settings: `\`${MODULES}\`; load the packages with \`await import()\`, because Jest cannot \`require()\` ES modules`,
  }),
  jest({
    name: 'Jest, ES modules',
    kind: 'esm',
    manifest: { type: 'module', jest: { transform: {} } },
    settings: `\`${MODULES}\` and \`transform: {}\`, as for every ES module in Jest`,
  }),
  {
    name: 'Vitest',
    install: ['vitest@^4'],
    version: 'vitest',
    does: 'the round in a test, in each pool: `forks`, `threads`, `vmForks`, `vmThreads`',
    async run(workshop) {
      workshop.write({ 'worlds.test.mjs': `import { it } from 'vitest';\n${test('esm')}` });
      const printed = [];
      for (const pool of ['forks', 'threads', 'vmForks', 'vmThreads']) {
        const args = [workshop.bin('vitest'), 'run', '--pool', pool, '--testTimeout', '120000'];
        printed.push(await workshop.node(args, { env: { NO_COLOR: '1' } }));
      }
      return printed;
    },
    done: /Tests\s+1 passed/,
  },
];
