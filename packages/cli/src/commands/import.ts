import { Option } from 'commander';
import type { Command } from '../command.ts';
import { importBody } from '../import-body.ts';
import { ProgressBar } from '../progress-bar.ts';
import { type RdfInput, rdfInputs } from '../rdf-input.ts';
import { jsonRequest, type Service } from '../service.ts';
import { openServer, requiredWorld, SERVER_OPTIONS, withService } from '../service-options.ts';
import { collectionPath, type WorldName, worldPath } from '../world-name.ts';
import { WORLD_OPTION } from '../world-option.ts';

export const importFiles: Command = {
  name: 'import',
  summary: 'Import RDF files into a world of a server.',
  operand: '<FILE...>',
  options: [
    WORLD_OPTION,
    new Option('--create', 'create the world when it does not exist'),
    new Option('--format <FORMAT>', 'what the files are; by their extensions when not given'),
    ...SERVER_OPTIONS,
  ],
  notes: [
    'A FILE of - is standard input. Each file is imported whole or not at all; the first that fails ends the command.',
  ],
  async run(given) {
    await withService(openServer(given), async (service) => {
      const world = requiredWorld(given, service);
      const inputs = await rdfInputs(given.operands, given.text('format'));
      if (given.flag('create')) await create(service, world);
      for (const input of inputs) {
        await send(service, world, input);
        process.stderr.write(`Imported ${input.name}\n`);
      }
    });
  },
};

/** Creates a world unless it is there. */
async function create(service: Service, { namespace, slug }: WorldName): Promise<void> {
  const request = { ...jsonRequest('POST', { slug }), alsoFine: [409] };
  const answer = await service.send(collectionPath(namespace), request);
  await answer.body?.cancel();
}

async function send(service: Service, world: WorldName, { name, contentType, size, bytes }: RdfInput): Promise<void> {
  const progress = new ProgressBar(name, size);
  const body = ReadableStream.from(importBody(contentType, bytes(), (sent) => progress.show(sent)));
  try {
    const headers = { 'content-type': 'application/json' };
    await service.send(`${worldPath(world)}/import`, { method: 'POST', headers, body });
  } catch (cause) {
    throw new Error(`${name}: ${(cause as Error).message}`, { cause });
  } finally {
    progress.end();
  }
}
