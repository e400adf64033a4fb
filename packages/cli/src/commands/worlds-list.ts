import type { World } from '@rdf-worlds/core';
import type { Command } from '../command.ts';
import { READ_ONLY_OPTION } from '../durable-storage.ts';
import { writeText } from '../output.ts';
import { asksJson, jsonText, RECORD_FORMAT_OPTION } from '../record-format.ts';
import type { Service } from '../service.ts';
import { chosenNamespace, openServer, SERVER_OPTIONS, withService } from '../service-options.ts';
import { collectionPath } from '../world-name.ts';
import { worldsTable } from '../worlds-table.ts';

/** The most that the interface gives at once (INTERFACE, "Limits"). */
const PAGE_SIZE = 100;

export const worldsList: Command = {
  name: 'worlds list',
  summary: 'List the worlds of a namespace that you may read.',
  options: [...SERVER_OPTIONS, READ_ONLY_OPTION, RECORD_FORMAT_OPTION],
  async run(given) {
    const isJson = asksJson(given);
    const path = collectionPath(chosenNamespace(given));
    await withService(openServer(given), async (service) => {
      const worlds = await allWorlds(service, path);
      await writeText(isJson ? jsonText(worlds) : worldsTable(worlds));
    });
  },
};

async function allWorlds(service: Service, path: string): Promise<World[]> {
  const worlds: World[] = [];
  for (let page = 1; ; page++) {
    const response = await service.send(`${path}?page=${page}&pageSize=${PAGE_SIZE}`);
    const found = (await response.json()) as World[];
    worlds.push(...found);
    if (found.length < PAGE_SIZE) return worlds;
  }
}
