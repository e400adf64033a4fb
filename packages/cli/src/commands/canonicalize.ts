import { dataFactory, WorldsEngine } from '@rdf-worlds/core';
import { Option } from 'commander';
import { worldsCommand } from '../command.ts';
import { READ_ONLY_OPTION } from '../durable-storage.ts';
import { localLimits } from '../local-limits.ts';
import { AT_OPTION } from '../moment-option.ts';
import { OUTPUT_OPTION, writeOutput, writeText } from '../output.ts';
import { jsonQuery } from '../service.ts';
import { openSource, requiredWorld, SOURCE_OPTIONS } from '../service-options.ts';
import { StatusLine } from '../status-line.ts';
import { worldPath } from '../world-name.ts';
import { WORLD_OPTION } from '../world-option.ts';

const N_QUADS = 'application/n-quads';
const DEFAULT_GRAPH = 'default';

export const canonicalize = worldsCommand({
  name: 'canonicalize',
  summary: 'Write a world, or files with --load, as canonical N-Quads (RDFC-1.0), or their hash.',
  options: [
    WORLD_OPTION,
    AT_OPTION,
    new Option('--hash', 'print only the hash of the canonical form'),
    new Option('--algorithm <NAME>', 'hash function; canonical labels depend on it, too (default: SHA-256)').choices([
      'SHA-256',
      'SHA-384',
    ]),
    new Option('--graph <IRI>', 'only this graph, "default" for the default graph (default: the whole dataset)'),
    OUTPUT_OPTION,
    ...SOURCE_OPTIONS,
    READ_ONLY_OPTION,
  ],
  notes: ['Two datasets have the same form, and hash, if they differ only in the labels of blank nodes.'],
  open: (given) => openSource(given, { worksHere: true }),
  begin(given) {
    const algorithm = given.text('algorithm') as 'SHA-256' | 'SHA-384' | undefined;
    const graph = given.text('graph');
    const { engine: limits, work } = localLimits(given);
    return async (service) => {
      const world = worldPath(requiredWorld(given, service));
      const body = { contentType: N_QUADS, at: given.text('at') };
      const exported = await service.send(`${world}/export`, jsonQuery(body));
      // Computed in this process, because servers have no such route.
      const engine = await WorldsEngine.open({ textIndex: null, ...limits });
      const status = new StatusLine('canonicalizing');
      try {
        const source = await engine.createWorld({ slug: 'exported' });
        await engine.import({ source, contentType: N_QUADS, data: exported.body ?? '' });
        const request = {
          source,
          algorithm,
          graph: graph === DEFAULT_GRAPH ? dataFactory.defaultGraph() : graph,
          timeoutMs: work.timeoutMs,
          maxMemoryBytes: work.maxMemoryBytes ?? Number.MAX_SAFE_INTEGER,
        };
        if (given.flag('hash')) {
          const hash = await engine.hash(request);
          status.end();
          return await writeText(`${hash}\n`, given.text('output'));
        }
        const { document } = await engine.canonicalize(request);
        status.end();
        await writeOutput(new Response(document as Uint8Array<ArrayBuffer>), given.text('output'));
      } finally {
        status.end();
        await engine.close();
      }
    };
  },
});
