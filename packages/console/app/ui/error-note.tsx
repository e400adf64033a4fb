import { WorldsError } from '@rdf-worlds/client';
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';
import { Visible } from './visible.tsx';

/** What went wrong, in the words of the server, with its code. */
export function ErrorNote({ error, children }: { error: unknown; children?: ComponentChildren }) {
  return (
    <div class="note error" role="alert">
      <Icon name="warn" />
      <div class="stack grow">
        <p>
          <Visible text={messageOf(error)} max={2_000} />{' '}
          {error instanceof WorldsError && <span class="badge">{error.code}</span>}
        </p>
        {children}
      </div>
    </div>
  );
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** True if the person, or a view that was left, ended the work. */
export function isAborted(error: unknown): boolean {
  return (
    (error instanceof WorldsError && error.code === 'ABORTED') ||
    (error instanceof Error && error.name === 'AbortError')
  );
}
