import { WorldsError } from '../../model/worlds-error.ts';

/** Identifies a commit by its position in the log, so that its outcome can be queried later. */
export interface CommitToken {
  /** '' if the commit was to create the namespace. */
  readonly incarnation: string;
  /**
   * Position of the last record of the commit's append. An append is in the log completely or not
   * at all.
   */
  readonly position: number;
  /** Revision of the namespace after the commit. */
  readonly revision: number;
  /** Id of that record. */
  readonly id: string;
}

const FORM = /^([0-9a-zA-Z-]*)\.(\d{1,16})\.(\d{1,16})\.([0-9a-f]{32})$/;

export function formatCommitToken({ incarnation, position, revision, id }: CommitToken): string {
  return `${incarnation}.${position}.${revision}.${id}`;
}

/** Parses a token. Throws INVALID_ARGUMENT if it is malformed. */
export function parseCommitToken(text: string): CommitToken {
  const found = FORM.exec(text);
  if (!found)
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `commit: ${JSON.stringify(text.slice(0, 80))} is not the \`commit\` of an IN_DOUBT error.`,
    );
  const [, incarnation, position, revision, id] = found;
  return { incarnation, position: Number(position), revision: Number(revision), id };
}
