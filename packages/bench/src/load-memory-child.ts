import { readFileSync } from 'node:fs';
import { academicDocument } from './academic-data.ts';
import { childWork } from './child-run.ts';
import type { LoadMemory, LoadMemoryWork } from './load-memory.ts';
import { LOADERS } from './loader.ts';
import { settledMemory } from './settled-memory.ts';

const { loader: name, path, contentType } = childWork<LoadMemoryWork>();
const loader = LOADERS.find((each) => each.name === name);
if (!loader) throw new Error(`There is no loader ${name}.`);

// Loads the code beforehand, because it is not part of the measurement.
const small = {
  name: 'warm-up',
  bytes: academicDocument({ seed: 0, quads: 2000 }),
  contentType: 'application/n-triples',
};
await (await loader.load(small)).release();

// A single allocation of the right size; the asynchronous form may join pieces and leave them
// behind as free pages.
const input = { name: path, bytes: readFileSync(path), contentType };
const before = await settledMemory();
const store = await loader.load(input);
const { quads, bytes } = await store.count();
const after = await settledMemory();
const result: LoadMemory = {
  loader: name,
  quads,
  bytes,
  rssGrowth: after.rss - before.rss,
  heldGrowth: after.held - before.held,
  peakRss: process.resourceUsage().maxRSS * 1024,
};
// Used after the measurement, so that neither is collected before it.
await store.release();
if (input.bytes.length === 0 && quads > 0) throw new Error('The document is gone.');
process.stdout.write(JSON.stringify(result));
