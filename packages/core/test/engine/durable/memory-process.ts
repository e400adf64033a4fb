import { dataFactory, MemoryStorage, WorldsEngine, WorldsError } from '../../../src/index.ts';

// memory-process WHAT memory|storage: adds to an engine with the default limit until it refuses, in
// a process whose cgroup has 256 MiB. Prints how far it came.
const [what, kind] = process.argv.slice(2);
process.constrainedMemory = () => 2 ** 28;

const { quad, namedNode, literal } = dataFactory;
const engine = await WorldsEngine.open({
  storage: kind === 'storage' ? new MemoryStorage() : undefined,
  textIndex: null,
});
await engine.createWorld({ slug: 'first' });

let done = 0;
const one = () => quad(namedNode(`urn:subject-${done++}`), namedNode('urn:p'), literal(`the object of ${done}`));
const quads = async function* () {
  for (;;) yield one();
};

const STEPS: Record<string, () => Promise<unknown>> = {
  worlds: () => engine.createWorld({ slug: `w${done++}`, description: 'a world among many' }),
  namespaces: () => engine.createWorld({ namespace: `n${done++}`, slug: 'w' }),
  quads: () => engine.write({ source: 'first', insert: Array.from({ length: 1000 }, one) }),
  import: () => engine.import({ source: 'first', data: quads() }),
};

try {
  for (;;) await STEPS[what]();
} catch (cause) {
  if (!(cause instanceof WorldsError)) throw cause;
  const rssBytes = process.memoryUsage().rss;
  process.stdout.write(JSON.stringify({ code: cause.code, done, rssBytes }));
  process.exit(0);
}
