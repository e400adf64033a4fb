import { WorldsError } from '@rdf-worlds/core';
import { codeOf, databaseError } from './postgres-errors.ts';
import { LONG, type PostgresStore } from './postgres-store.ts';
import { quoted } from './schema-name.ts';
import { UPGRADES } from './schema-tables.ts';

/** The version of the tables that this release reads and writes. */
export const SCHEMA_VERSION = UPGRADES.length;

/** Errors of creating what another process creates at the same moment. */
const CREATED_MEANWHILE = new Set(['23505', '42P06', '42P07', '42710', '40001', '40P01', 'XX000']);
const ATTEMPTS = 10;

/**
 * Creates the schema and its tables, or brings them to the version of this release. Several
 * processes may do so at the same time: every statement may be repeated, and each version is set by
 * compare-and-swap after its statements. Throws UNSUPPORTED if a later release has the schema.
 */
export async function upgradeSchema(store: PostgresStore): Promise<void> {
  let version = await versionOf(store);
  if (version === undefined) {
    await createVersion(store);
    version = (await versionOf(store)) ?? 0;
  }
  while (version < SCHEMA_VERSION) {
    for (const statement of UPGRADES[version](store.tables)) await define(store, statement);
    await store.run(
      `Upgrading ${place(store)}`,
      `UPDATE ${store.tables.version} SET version = $2 WHERE id = 1 AND version = $1`,
      [version, version + 1],
    );
    version = (await versionOf(store)) ?? version;
  }
  if (version > SCHEMA_VERSION)
    throw new WorldsError(
      'UNSUPPORTED',
      `${place(store)} has version ${version}; this release knows up to ${SCHEMA_VERSION}. Use the release that wrote it, or a later one.`,
    );
}

/** Reads the version; undefined if there is no table of it. */
async function versionOf(store: PostgresStore): Promise<number | undefined> {
  try {
    const [row] = await store.run(
      `Opening ${place(store)}`,
      `SELECT version FROM ${store.tables.version} WHERE id = 1`,
      [],
    );
    return row ? Number(row.version) : undefined;
  } catch (error) {
    if (!(error instanceof WorldsError) || !/^(42P01|3F000)$/.test(codeOf(error.cause))) throw error;
    return undefined;
  }
}

async function createVersion(store: PostgresStore): Promise<void> {
  // Only where it is missing: IF NOT EXISTS too needs the permission to create.
  const [exists] = await store.run(
    `Opening ${place(store)}`,
    'SELECT 1 AS one FROM information_schema.schemata WHERE schema_name = $1',
    [store.schema],
  );
  if (!exists) await define(store, `CREATE SCHEMA IF NOT EXISTS ${quoted(store.schema)}`);
  const { version } = store.tables;
  await define(store, `CREATE TABLE IF NOT EXISTS ${version} (id integer PRIMARY KEY, version integer NOT NULL)`);
  await store.run(
    `Creating ${place(store)}`,
    `INSERT INTO ${version} (id, version) VALUES (1, 0) ON CONFLICT DO NOTHING`,
    [],
  );
}

/** Runs a statement that defines something. Processes that do so at the same moment may collide. */
async function define(store: PostgresStore, statement: string): Promise<void> {
  const what = `Creating ${place(store)}`;
  for (let attempt = 1; ; attempt++) {
    try {
      await store.run(what, statement, [], { weight: LONG });
      return;
    } catch (error) {
      const code = error instanceof WorldsError ? codeOf(error.cause) : '';
      if (code === '42501')
        throw new WorldsError(
          'INTERNAL',
          `${databaseError(error, what).message.replace(/ The role has no permission:.*/, '')} The role of the pool may not create it: let an administrator run CREATE SCHEMA ${quoted(store.schema)} AUTHORIZATION <the role>, or open the storage once with a role that may.`,
          { cause: error },
        );
      if (!CREATED_MEANWHILE.has(code) || attempt === ATTEMPTS) throw error;
      if (!(await store.patience().next())) throw error;
    }
  }
}

function place(store: PostgresStore): string {
  return `the schema ${quoted(store.schema)}`;
}
