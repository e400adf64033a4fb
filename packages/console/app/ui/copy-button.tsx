import { useState } from 'preact/hooks';
import { t } from '../texts.ts';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import { tell } from './toasts.tsx';

interface CopyProps {
  readonly label: string;
  /** Returns the text when the button is pressed. */
  readonly text: () => string;
  /** True to show the icon alone on narrow screens; the label stays for screen readers. */
  readonly isShort?: boolean;
}

/** Copies a text. Where the browser refuses, shows the text selected, to be copied by hand. */
export function CopyButton({ label, text, isShort = false }: CopyProps) {
  const [refused, setRefused] = useState<string | undefined>();
  const copy = async () => {
    const given = text();
    if (await isCopied(given)) tell(t.copy.done);
    else setRefused(given);
  };
  return (
    <>
      <button type="button" class={isShort ? 'button shrinks' : 'button'} onClick={() => void copy()}>
        <Icon name="copy" size={16} />
        <span>{label}</span>
      </button>
      {refused !== undefined && (
        <Dialog title={label} onClose={() => setRefused(undefined)}>
          <label class="field">
            <span>{t.copy.byHand}</span>
            <input
              class="input mono"
              readOnly
              autofocus
              value={refused}
              onFocus={(event) => event.currentTarget.select()}
            />
          </label>
        </Dialog>
      )}
    </>
  );
}

/** `navigator.clipboard` exists only in secure contexts: HTTPS, and plain HTTP of the loopback. */
async function isCopied(text: string): Promise<boolean> {
  const { clipboard } = navigator as { readonly clipboard?: Clipboard };
  if (!clipboard) return false;
  try {
    await clipboard.writeText(text);
    return true;
  } catch (error) {
    console.info('The browser refused access to the clipboard.', error);
    return false;
  }
}
