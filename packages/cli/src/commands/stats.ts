import type { EngineStats, QuotaUse } from '@rdf-worlds/core';
import { Option } from 'commander';
import type { Command } from '../command.ts';
import { DURABLE_OPTIONS, READ_ONLY_OPTION, withDurable } from '../durable-storage.ts';
import { writeText } from '../output.ts';
import { QuotasFile } from '../quotas-file.ts';
import { asksJson, jsonText, RECORD_TABLE_OPTIONS } from '../record-format.ts';
import { StatusLine } from '../status-line.ts';
import { stderrLogger } from '../stderr-logger.ts';
import { tableStyle } from '../table-style.ts';
import { type TableStyle, textTable } from '../text-table.ts';

const QUOTAS_OPTION = new Option('--quotas <FILE>', 'also show the use of the quotas in this file');

export const stats: Command = {
  name: 'stats',
  summary: 'Show the size of the namespaces in a directory or a database.',
  options: [...DURABLE_OPTIONS, READ_ONLY_OPTION, QUOTAS_OPTION, ...RECORD_TABLE_OPTIONS],
  async run(given) {
    const isJson = asksJson(given);
    const path = given.text('quotas');
    const quotas = path === undefined ? undefined : await QuotasFile.open(path, stderrLogger({ isVerbose: false }));
    await withDurable(
      given,
      async (engine) => {
        const rows: (EngineStats & { namespace: string })[] = [];
        const status = new StatusLine('opening');
        const show = status.of('opening');
        try {
          const names = await engine.listNamespaces();
          for (const [done, namespace] of names.entries()) {
            show({ namespace, done, total: names.length });
            rows.push({ namespace, ...(await engine.stats({ namespace })) });
          }
        } finally {
          status.end();
        }
        await writeText(isJson ? jsonText(rows) : statsTable(rows, tableStyle(given)));
      },
      { quotas: quotas?.policy },
    );
    quotas?.close();
  },
};

function statsTable(rows: readonly (EngineStats & { namespace: string })[], style: TableStyle): string {
  const hasQuotas = rows.some(({ quotas }) => quotas);
  return textTable(
    ['namespace', 'worlds', 'quads', 'terms', 'log bytes', 'checkpoint bytes', ...(hasQuotas ? ['data bytes'] : [])],
    rows.map(({ namespace, worlds, quads, terms, storage, quotas }) => [
      namespace,
      used(worlds, quotas?.worlds),
      used(quads, quotas?.quads),
      ...[terms, storage?.logBytes ?? 0, storage?.segmentBytes ?? 0].map(String),
      ...(quotas ? [used(quotas.bytes.used, quotas.bytes)] : []),
    ]),
    style,
  );
}

/** Formats usage, with the limit if there is one. */
function used(count: number, quota: QuotaUse | undefined): string {
  return quota?.limit == null ? String(count) : `${count} of ${quota.limit}`;
}
