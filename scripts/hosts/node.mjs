import { join } from 'node:path';
import { roundProgram } from './round.mjs';
import { NotChecked } from './workshop.mjs';

const FILES = { 'node.mjs': roundProgram('esm'), 'node.cjs': roundProgram('cjs') };

const thisNode = (name, file, settings) => ({
  name,
  ci: true,
  install: [],
  version: () => process.versions.node,
  runtime: true,
  does: `the round from \`${file.endsWith('mjs') ? 'import' : 'require()'}\``,
  settings,
  async run(workshop) {
    workshop.write(FILES);
    return [await workshop.node([file])];
  },
});

/**
 * Another major version of Node, from the npm package that ships its executable for this platform.
 */
const otherNode = (major) => {
  const source = `node-${process.platform}-${process.arch}`;
  return {
    name: `Node ${major}`,
    install: [`${source}@${major}`],
    version: source,
    runtime: true,
    does: 'the round from `import` and from `require()`',
    async run(workshop) {
      const program = join(workshop.folder, 'node_modules', source, 'bin', 'node');
      const started = await workshop.exec(program, ['--version']).catch((error) => error);
      if (started instanceof Error) throw new NotChecked(`its program does not start: ${started.message}`);
      workshop.write(FILES);
      const printed = [];
      for (const file of Object.keys(FILES)) printed.push(await workshop.exec(program, [file]));
      return printed;
    },
  };
};

export const NODE_HOSTS = [
  thisNode('Node, ES modules', 'node.mjs'),
  thisNode('Node, CommonJS', 'node.cjs', 'nothing; Node 20 warns once that `require()` of ES modules is experimental'),
  otherNode(22),
  otherNode(24),
];
