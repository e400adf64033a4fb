import { createHash } from 'node:crypto';
import { WorldsError } from '../../model/worlds-error.ts';
import { type BackupPlace, isBackupPlace, isHex, isObject } from './backup-format.ts';

/** A backup as a later one needs to know it: which one it is, and how far it has each namespace. */
export interface BackupPoint {
  readonly id: string;
  /** The SHA-256 at its end, in hexadecimal digits. */
  readonly digest: string;
  readonly places: ReadonlyMap<string, BackupPlace>;
}

const PREFIX = 'rdf-worlds-backup-1';
const CHECK_DIGITS = 16;

/** The point as text without spaces: a prefix, base64url of JSON, and digits that tell a text that was cut or altered. */
export function encodeToken({ id, digest, places }: BackupPoint): string {
  const json = JSON.stringify({ id, digest, places: [...places] });
  const body = `${PREFIX}.${Buffer.from(json).toString('base64url')}`;
  return `${body}.${checkOf(body)}`;
}

/** Throws INVALID_ARGUMENT for what is no token. */
export function decodeToken(token: string): BackupPoint {
  const [prefix, body, check] = token.split('.');
  if (prefix === PREFIX && body !== undefined && check === checkOf(`${prefix}.${body}`)) {
    const point: unknown = JSON.parse(Buffer.from(body, 'base64url').toString());
    if (isToken(point)) return { ...point, places: new Map(point.places) };
  }
  throw new WorldsError(
    'INVALID_ARGUMENT',
    'backup: since: this is no token of a backup, or not all of it. Pass the token that `backup` gave, or what `backupToken` reads from its file.',
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
