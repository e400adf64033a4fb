import { t } from '../texts.ts';

/** Shows that something is being loaded, where it will appear. */
export function Spinner() {
  return (
    <span role="status">
      <span class="spinner" />
      <span class="visually-hidden">{t.loading}</span>
    </span>
  );
}

/** In place of a whole view. */
export function Waiting() {
  return (
    <div class="empty">
      <Spinner />
    </div>
  );
}
