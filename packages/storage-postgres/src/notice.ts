/**
 * What a notification says: that a namespace was written to, that a turn to append has passed, or
 * nothing.
 */
export type NoticeKind = 'appended' | 'passed' | 'probe';

/** A notification from one process to all that have the schema open, itself included. */
export interface Notice {
  readonly kind: NoticeKind;
  /** Identifies the store that sent it: hexadecimal digits. */
  readonly sender: string;
  /** Key of the namespace; empty in a probe. */
  readonly key: string;
}

const PAYLOAD = /^(appended|passed|probe) ([0-9a-f]+) (.*)$/s;

/** Returns the payload of a notification, below the 8,000 bytes that PostgreSQL allows. */
export function encodeNotice({ kind, sender, key }: Notice): string {
  return `${kind} ${sender} ${key}`;
}

/** Returns undefined for a payload that something else has sent. */
export function decodeNotice(payload: string): Notice | undefined {
  const [, kind, sender, key] = PAYLOAD.exec(payload) ?? [];
  return kind === undefined ? undefined : { kind: kind as NoticeKind, sender, key };
}
