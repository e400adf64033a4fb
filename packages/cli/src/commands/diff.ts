import { Option } from 'commander';
import type { Arguments } from '../arguments.ts';
import { worldsCommand } from '../command.ts';
import { BASE_IRI_OPTION, CONTEXT_OPTIONS, contextLoader } from '../document-options.ts';
import { READ_ONLY_OPTION } from '../durable-storage.ts';
import { LOCAL_LIMIT_OPTIONS, localLimits } from '../local-limits.ts';
import { moment } from '../moment-option.ts';
import { OUTPUT_OPTION, writeOutput } from '../output.ts';
import { type RdfInput, rdfInputs } from '../rdf-input.ts';
import { jsonQuery, jsonRequest, type Service } from '../service.ts';
import { openServer, requiredWorld, SERVER_OPTIONS } from '../service-options.ts';
import { UsageError } from '../usage-error.ts';
import { type WorldName, worldName, worldPath } from '../world-name.ts';
import { WORLD_OPTION } from '../world-option.ts';

const N_QUADS = 'application/n-quads';
/** The worlds of the two sides, if files are compared. */
const [BEFORE, AFTER]: readonly WorldName[] = ['before', 'after'].map((slug) => ({ namespace: 'default', slug }));

export const diff = worldsCommand({
  name: 'diff',
  summary: 'Write the changes from an earlier state of a world, or from a world or file to another, as RDF Patch.',
  operand: '[FILE...]',
  options: [
    WORLD_OPTION,
    new Option('--from <MOMENT>', 'the world as of a revision or a time (default: now)').argParser(moment),
    new Option('--to <MOMENT>', 'compared with it as of another moment (default: now)').argParser(moment),
    new Option('--with <NAME>', 'compared with another world instead, as of --to'),
    new Option('--format <FORMAT>', 'format of the files (default: by extension)'),
    BASE_IRI_OPTION,
    ...CONTEXT_OPTIONS,
    OUTPUT_OPTION,
    ...SERVER_OPTIONS,
    ...LOCAL_LIMIT_OPTIONS,
    READ_ONLY_OPTION,
  ],
  notes: [
    'With two files, what changes the first into the second; with one, what changes it into --world, as of --to.',
    '`import` applies the result to the world: it reads files with the extension .rdfp as changes.',
  ],
  activity: 'comparing',
  // Two files need neither a server nor a directory.
  open: (given) =>
    given.operands.length > 1 ? NOWHERE : openServer(given, { worksHere: given.operands.length === 1 }),
  begin(given) {
    return given.operands.length > 0 ? beginFiles(given) : beginWorlds(given);
  },
});

function beginWorlds(given: Arguments): (service: Service) => Promise<void> {
  const [from, to, other] = [given.text('from'), given.text('to'), given.text('with')];
  if (from === undefined && to === undefined && other === undefined)
    throw new UsageError('diff: name what to compare: two files, a moment with --from, or another world with --with.');
  const source = other === undefined ? undefined : worldName(other, undefined);
  return async (service) => {
    const world = requiredWorld(given, service);
    const { namespace = world.namespace, slug } = source ?? {};
    const body = { from, to: source ? { source: { slug, namespace }, at: to } : to };
    const response = await service.send(`${worldPath(world)}/diff`, jsonRequest('POST', body));
    await writeOutput(response, given.text('output'));
  };
}

function beginFiles(given: Arguments): (service: Service) => Promise<void> {
  const files = given.operands;
  if (files.length > 2) throw new UsageError('diff: compares at most two files.');
  const refused = ['from', 'with', ...(files.length === 2 ? ['to', 'world'] : [])].filter(
    (name) => given.origin(name) === 'cli',
  );
  if (refused.length > 0)
    throw new UsageError(
      `diff: ${refused.map((name) => `--${name}`).join(', ')} would have no effect with files; omit it.`,
    );
  return async (service) => {
    const limits = localLimits(given);
    const [before, after] = await rdfInputs(files, { format: given.text('format'), limits: limits.engine.limits });
    const inputs = [before, after ?? (await exported(given, service))];
    // Imported lazily, as in `openServer`.
    const { EngineService } = await import('../engine-service.ts');
    const compared = await EngineService.ofFiles(
      [BEFORE, AFTER].map((name, i) => ({ name, inputs: [inputs[i]] })),
      { documentLoader: contextLoader(given), baseIri: given.text('base-iri'), limits },
    );
    try {
      const body = { to: { source: AFTER } };
      const response = await compared.send(`${worldPath(BEFORE)}/diff`, jsonRequest('POST', body));
      await writeOutput(response, given.text('output'));
    } finally {
      await compared.close();
    }
  };
}

/** Returns the selected world as a document. */
async function exported(given: Arguments, service: Service): Promise<RdfInput> {
  const world = requiredWorld(given, service);
  const request = jsonQuery({ contentType: N_QUADS, at: given.text('to') });
  const { body } = await service.send(`${worldPath(world)}/export`, request);
  return { name: world.slug, contentType: N_QUADS, size: undefined, bytes: () => body ?? ReadableStream.from([]) };
}

const NOWHERE: Service = {
  defaultWorld: undefined,
  send: () => Promise.reject(new Error('Files are compared without a server.')),
  close: () => Promise.resolve(),
};
