import { WorldsError } from '../../model/worlds-error.ts';

/** A commit as a place in a log, to ask later whether it is there. */
export interface CommitToken {
  /** '' if the commit was to begin the namespace. */
  readonly incarnation: string;
  /** Of the last record of the commit's append, which is in the log as a whole or not at all. */
  readonly position: number;
  /** The namespace's revision after it. */
  readonly revision: number;
  /** The id of that record. */
  readonly id: string;
}

const FORM = /^([0-9a-zA-Z-]*)\.(\d{1,16})\.(\d{1,16})\.([0-9a-f]{32})$/;

export function formatCommitToken({ incarnation, position, revision, id }: CommitToken): string {
  return `${incarnation}.${position}.${revision}.${id}`;
}

/** Throws INVALID_ARGUMENT for any other text. */
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
