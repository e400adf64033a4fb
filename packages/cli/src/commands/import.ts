import { WorldsError } from '@rdf-worlds/client';
import { Option } from 'commander';
import type { Arguments } from '../arguments.ts';
import { changesText } from '../changes-text.ts';
import { worldsCommand } from '../command.ts';
import { IMPORT_OPTIONS, importQuery, importRequest, refuseSeveralFiles } from '../import-options.ts';
import { inWordsOf } from '../library-words.ts';
import { LOCAL_LIMIT_OPTIONS, localLimits } from '../local-limits.ts';
import { ProgressBar } from '../progress-bar.ts';
import { type RdfInput, rdfInputs } from '../rdf-input.ts';
import { responseNotes } from '../response-notes.ts';
import { jsonRequest, type Service } from '../service.ts';
import { openServer, requiredWorld, SERVER_OPTIONS } from '../service-options.ts';
import { UsageError } from '../usage-error.ts';
import { jsonFile } from '../world-export.ts';
import { collectionPath, type WorldName, worldPath } from '../world-name.ts';
import { WORLD_OPTION } from '../world-option.ts';

const JSON_LD = 'application/ld+json';

export const importFiles = worldsCommand({
  name: 'import',
  summary: 'Import RDF files into a world of a server, a directory or a database.',
  operand: '<FILE...>',
  options: [
    WORLD_OPTION,
    new Option('--create', 'create the world if it does not exist'),
    new Option('--format <FORMAT>', 'format of the files (default: by extension)'),
    ...IMPORT_OPTIONS,
    ...SERVER_OPTIONS,
    ...LOCAL_LIMIT_OPTIONS,
  ],
  notes: [
    'The FILE - is standard input. Each file is imported completely or not at all; the command stops at the first failure.',
  ],
  open: (given) => openServer(given, { makesPlace: given.flag('create') }),
  async begin(given) {
    refuseSeveralFiles(given);
    const context = await jsonFile(given, 'context');
    return async (service) => {
      const world = requiredWorld(given, service);
      const inputs = await rdfInputs(given.operands, {
        format: given.text('format'),
        limits: localLimits(given).engine.limits,
      });
      const plain = inputs.find(({ contentType }) => contentType !== JSON_LD);
      if (context !== undefined && plain) throw new UsageError(`--context: ${plain.name} is not JSON-LD.`);
      if (given.flag('create')) await create(service, world);
      for (const input of inputs) {
        const response = await send(service, world, input, { given, context });
        const changes = changesText(response);
        process.stderr.write(`Imported ${input.name}${changes === undefined ? '' : `: ${changes}`}\n`);
        for (const note of responseNotes(response))
          process.stderr.write(`rdf-worlds: ${input.name}: ${inWordsOf(given)(note)}\n`);
      }
    };
  },
});

/** Creates a world unless it exists. */
async function create(service: Service, { namespace, slug }: WorldName): Promise<void> {
  try {
    const answer = await service.send(collectionPath(namespace), jsonRequest('POST', { slug }));
    await answer.body?.cancel();
  } catch (error) {
    if (!(error instanceof WorldsError && error.code === 'ALREADY_EXISTS')) throw error;
  }
}

/** Uploads a document unchanged. */
async function send(
  service: Service,
  world: WorldName,
  input: RdfInput,
  { given, context }: { readonly given: Arguments; readonly context: unknown },
): Promise<Response> {
  const { name, contentType, size } = input;
  const progress = new ProgressBar(name, size);
  // The service only sees that a body ended early, so the reason is kept here.
  let failed: { readonly error: unknown } | undefined;
  const content = async function* () {
    try {
      yield* input.bytes((bytes) => progress.show(bytes));
    } catch (error) {
      failed = { error };
      throw error;
    }
  };
  try {
    const request = importRequest(given, contentType, content(), context);
    return await service.send(`${worldPath(world)}/import${importQuery(given)}`, request);
  } catch (refusal) {
    const cause = failed ? failed.error : refusal;
    throw new Error(`${name}: ${(cause as Error).message}`, { cause });
  } finally {
    progress.end();
  }
}
