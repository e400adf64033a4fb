import { signal } from '@preact/signals';
import { t } from '../texts.ts';
import { Icon } from './icon.tsx';
import { Visible } from './visible.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
}

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;
const SHOWN_MS = 6_000;

/** Shows a short message. Errors stay until they are closed. */
export function tell(text: string, { isError = false } = {}): void {
  const id = ++lastId;
  toasts.value = [...toasts.value.slice(-3), { id, text, isError }];
  if (!isError) setTimeout(() => remove(id), SHOWN_MS);
}

function remove(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isError }) => (
        <div key={id} class={`toast ${isError ? 'error' : ''}`}>
          <Icon name={isError ? 'warn' : 'check'} />
          <span class="grow">
            <Visible text={text} />
          </span>
          <button type="button" class="button quiet small icon" aria-label={t.close} onClick={() => remove(id)}>
            <Icon name="close" size={15} />
          </button>
        </div>
      ))}
    </div>
  );
}
