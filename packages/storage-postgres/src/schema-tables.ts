import { quoted } from './schema-name.ts';

/** The tables of a storage, in quotes. */
export interface SchemaTables {
  /** One row: the version of the tables. */
  readonly version: string;
  /** One row per namespace: its head, and the incarnation that its next first append starts. */
  readonly namespaces: string;
  /** One row per append: its records in one value, or the blob that holds them. */
  readonly records: string;
  /** The two newest checkpoints of each incarnation. */
  readonly checkpoints: string;
  /** One row per blob: the content of a segment, or of a large append. */
  readonly blobs: string;
  /** The content of blobs, in parts. */
  readonly parts: string;
  /** Dropped incarnations whose rows are still to be deleted. */
  readonly dropped: string;
}

export function tablesOf(schema: string): SchemaTables {
  const table = (name: string): string => `${quoted(schema)}.${quoted(`worlds_${name}`)}`;
  return {
    version: table('version'),
    namespaces: table('namespaces'),
    records: table('records'),
    checkpoints: table('checkpoints'),
    blobs: table('blobs'),
    parts: table('parts'),
    dropped: table('dropped'),
  };
}

/**
 * The statements that make the tables of each version from those of the version before. Each may be
 * repeated, and run by several processes at the same time: the version is raised afterwards.
 */
export const UPGRADES: readonly ((tables: SchemaTables) => readonly string[])[] = [
  (tables) => [
    `CREATE TABLE IF NOT EXISTS ${tables.namespaces} (
      namespace text PRIMARY KEY,
      name text NOT NULL,
      incarnation text NOT NULL,
      position bigint NOT NULL,
      log_start bigint NOT NULL,
      checkpoints bigint NOT NULL,
      checkpoint_position bigint NOT NULL,
      appender text NOT NULL,
      appender_since bigint NOT NULL,
      fence bigint NOT NULL
    )`,
    `CREATE TABLE IF NOT EXISTS ${tables.records} (
      incarnation text NOT NULL,
      position bigint NOT NULL,
      records integer NOT NULL,
      id text NOT NULL,
      byte_length bigint NOT NULL,
      checksum bigint NOT NULL,
      data bytea,
      blob text,
      PRIMARY KEY (incarnation, position)
    )`,
    `CREATE TABLE IF NOT EXISTS ${tables.checkpoints} (
      incarnation text NOT NULL,
      checkpoint bigint NOT NULL,
      position bigint NOT NULL,
      token text NOT NULL,
      segments text NOT NULL,
      PRIMARY KEY (incarnation, checkpoint)
    )`,
    `CREATE TABLE IF NOT EXISTS ${tables.blobs} (
      incarnation text NOT NULL,
      blob text NOT NULL,
      kind text NOT NULL,
      base bigint NOT NULL,
      PRIMARY KEY (incarnation, blob)
    )`,
    `CREATE TABLE IF NOT EXISTS ${tables.parts} (
      incarnation text NOT NULL,
      blob text NOT NULL,
      part integer NOT NULL,
      checksum bigint NOT NULL,
      data bytea NOT NULL,
      PRIMARY KEY (incarnation, blob, part)
    )`,
    `CREATE TABLE IF NOT EXISTS ${tables.dropped} (
      incarnation text PRIMARY KEY
    )`,
  ],
  (tables) => [
    `ALTER TABLE ${tables.namespaces} ADD COLUMN IF NOT EXISTS generation bigint NOT NULL DEFAULT 0`,
    // What the generation replaces.
    `ALTER TABLE ${tables.namespaces} DROP COLUMN IF EXISTS appender`,
    `ALTER TABLE ${tables.namespaces} DROP COLUMN IF EXISTS appender_since`,
  ],
  (tables) => [
    `ALTER TABLE ${tables.namespaces} ADD COLUMN IF NOT EXISTS reservations bigint NOT NULL DEFAULT 0`,
    `ALTER TABLE ${tables.namespaces} ADD COLUMN IF NOT EXISTS turn bigint NOT NULL DEFAULT 0`,
    `ALTER TABLE ${tables.namespaces}
     ADD COLUMN IF NOT EXISTS turn_until timestamptz NOT NULL DEFAULT '1970-01-01 00:00:00+00'`,
    `ALTER TABLE ${tables.namespaces} ADD COLUMN IF NOT EXISTS claimant text NOT NULL DEFAULT ''`,
    `ALTER TABLE ${tables.namespaces}
     ADD COLUMN IF NOT EXISTS claimed_until timestamptz NOT NULL DEFAULT '1970-01-01 00:00:00+00'`,
  ],
];
