import { worldsCommand } from '../command.ts';
import { READ_ONLY_OPTION } from '../durable-storage.ts';
import { elsewhereText } from '../elsewhere-text.ts';
import { listWorlds } from '../list-worlds.ts';
import { writeText } from '../output.ts';
import { placeOf } from '../place.ts';
import { asksJson, jsonText, RECORD_TABLE_OPTIONS } from '../record-format.ts';
import { chosenNamespace, openServer, SERVER_OPTIONS } from '../service-options.ts';
import { tableStyle } from '../table-style.ts';
import { worldsTable } from '../worlds-table.ts';

export const worldsList = worldsCommand({
  name: 'worlds list',
  summary: 'List the worlds of a namespace that you may read.',
  options: [...SERVER_OPTIONS, READ_ONLY_OPTION, ...RECORD_TABLE_OPTIONS],
  activity: 'listing',
  open: openServer,
  begin(given) {
    const isJson = asksJson(given);
    const namespace = chosenNamespace(given);
    const isRemote = placeOf(given).url !== undefined;
    return async (service) => {
      const worlds = await listWorlds(service, namespace, (names) => {
        // For a directory, that was said when it was opened.
        if (isRemote) process.stderr.write(elsewhereText('your default namespace', names));
      });
      await writeText(isJson ? jsonText(worlds) : worldsTable(worlds, tableStyle(given)));
    };
  },
});
