import { academicDocument } from './academic-data.ts';
import { childWork } from './child-run.ts';
import { openLoadInput } from './load-input.ts';
import type { LoadMemory, LoadMemoryWork } from './load-memory.ts';
import { LOADERS } from './loader.ts';
import { settledMemory } from './settled-memory.ts';

const { loader: name, input: choice } = childWork<LoadMemoryWork>();
const loader = LOADERS.find((each) => each.name === name);
if (!loader) throw new Error(`There is no loader ${name}.`);

// Loads the code, which is not what is measured.
const small = {
  name: 'warm-up',
  bytes: academicDocument({ seed: 0, quads: 2000 }),
  contentType: 'application/n-triples',
};
await (await loader.load(small)).release();

const input = await openLoadInput(choice);
const before = await settledMemory();
const store = await loader.load(input);
const { quads } = await store.count();
const after = await settledMemory();
const result: LoadMemory = {
  quads,
  rssGrowth: after.rss - before.rss,
  peakRss: process.resourceUsage().maxRSS * 1024,
  documentBytes: input.bytes.length,
};
await store.release();
process.stdout.write(JSON.stringify(result));
