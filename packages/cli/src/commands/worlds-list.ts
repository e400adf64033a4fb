import { worldsCommand } from '../command.ts';
import { READ_ONLY_OPTION } from '../durable-storage.ts';
import { listWorlds } from '../list-worlds.ts';
import { writeText } from '../output.ts';
import { asksJson, jsonText, RECORD_TABLE_OPTIONS } from '../record-format.ts';
import { chosenNamespace, openServer, SERVER_OPTIONS } from '../service-options.ts';
import { tableStyle } from '../table-style.ts';
import { worldsTable } from '../worlds-table.ts';

export const worldsList = worldsCommand({
  name: 'worlds list',
  summary: 'List the worlds of a namespace that you may read.',
  options: [...SERVER_OPTIONS, READ_ONLY_OPTION, ...RECORD_TABLE_OPTIONS],
  open: openServer,
  begin(given) {
    const isJson = asksJson(given);
    const namespace = chosenNamespace(given);
    return async (service) => {
      const worlds = await listWorlds(service, namespace);
      await writeText(isJson ? jsonText(worlds) : worldsTable(worlds, tableStyle(given)));
    };
  },
});
