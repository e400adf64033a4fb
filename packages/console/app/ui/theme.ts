import { signal } from '@preact/signals';
import { kept } from '../session/kept.ts';

/** `system` follows the setting of the device. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'theme';
const given = kept.get(KEY);
export const theme = signal<Theme>(given === 'light' || given === 'dark' ? given : 'system');

/** Keeps the document in step with the chosen theme. */
export function applyTheme(): void {
  theme.subscribe((value) => {
    if (value === 'system') {
      delete document.documentElement.dataset.theme;
      kept.remove(KEY);
    } else {
      document.documentElement.dataset.theme = value;
      kept.set(KEY, value);
    }
  });
}
