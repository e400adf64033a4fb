import { Buffer, createHash } from '#platform';
import { WorldsError } from '../../model/worlds-error.ts';
import { type BackupPlace, isBackupPlace, isHex, isObject } from './backup-format.ts';

/**
 * The contents of a token: everything that an incremental backup needs to know about its parent.
 */
export interface BackupPoint {
  readonly id: string;
  /** SHA-256 of the backup, in hexadecimal digits. */
  readonly digest: string;
  readonly places: ReadonlyMap<string, BackupPlace>;
}

const PREFIX = 'rdf-worlds-backup-1';
const CHECK_DIGITS = 16;

/** Returns a text without spaces: a prefix, JSON as base64url, and a checksum. */
export function encodeToken({ id, digest, places }: BackupPoint): string {
  const json = JSON.stringify({ id, digest, places: [...places] });
  const body = `${PREFIX}.${Buffer.from(json).toString('base64url')}`;
  return `${body}.${checkOf(body)}`;
}

/** Decodes a token. Throws INVALID_ARGUMENT if it is malformed or incomplete. */
export function decodeToken(token: string): BackupPoint {
  const [prefix, body, check] = token.split('.');
  if (prefix === PREFIX && body !== undefined && check === checkOf(`${prefix}.${body}`)) {
    const point: unknown = JSON.parse(Buffer.from(body, 'base64url').toString());
    if (isToken(point)) return { ...point, places: new Map(point.places) };
  }
  throw new WorldsError(
    'INVALID_ARGUMENT',
    'backup: since: this is not the complete token of a backup. Pass the token that `backup` returned, or read it from the backup with `backupToken`.',
  );
}

interface TokenJson {
  readonly id: string;
  readonly digest: string;
  readonly places: readonly (readonly [name: string, place: BackupPlace])[];
}

function isToken(value: unknown): value is TokenJson {
  return (
    isObject(value) &&
    isHex(value['id'], 32) &&
    isHex(value['digest'], 64) &&
    Array.isArray(value['places']) &&
    value['places'].every((one) => Array.isArray(one) && typeof one[0] === 'string' && isBackupPlace(one[1]))
  );
}

function checkOf(body: string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, CHECK_DIGITS);
}
