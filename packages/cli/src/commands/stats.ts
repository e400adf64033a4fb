import type { EngineStats } from '@rdf-worlds/core';
import type { Command } from '../command.ts';
import { DIRECTORY_OPTION, READ_ONLY_OPTION, TAKE_OVER_OPTION, withDirectory } from '../durable-storage.ts';
import { writeText } from '../output.ts';
import { asksJson, jsonText, RECORD_FORMAT_OPTION } from '../record-format.ts';
import { textTable } from '../text-table.ts';

export const stats: Command = {
  name: 'stats',
  summary: 'Tell how much is in a directory.',
  options: [DIRECTORY_OPTION, TAKE_OVER_OPTION, READ_ONLY_OPTION, RECORD_FORMAT_OPTION],
  async run(given) {
    const isJson = asksJson(given);
    await withDirectory(given, async (engine) => {
      const rows: (EngineStats & { namespace: string })[] = [];
      for (const namespace of await engine.listNamespaces()) {
        rows.push({ namespace, ...(await engine.stats({ namespace })) });
      }
      await writeText(isJson ? jsonText(rows) : statsTable(rows));
    });
  },
};

function statsTable(rows: readonly (EngineStats & { namespace: string })[]): string {
  return textTable(
    ['namespace', 'worlds', 'quads', 'terms', 'log bytes', 'checkpoint bytes'],
    rows.map(({ namespace, worlds, quads, terms, storage }) => [
      namespace,
      ...[worlds, quads, terms, storage?.logBytes ?? 0, storage?.segmentBytes ?? 0].map(String),
    ]),
  );
}
