import { useState } from 'preact/hooks';
import { addressOf, go } from '../../router.ts';
import { client } from '../../session/service.ts';
import { caller, isAdmin, refreshCaller } from '../../session/session.ts';
import { worldChanges } from '../../session/world-names.ts';
import { t } from '../../texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { tell } from '../../ui/toasts.tsx';

const SLUG = '[A-Za-z0-9][A-Za-z0-9._~\\-]{0,127}';

/** Asks for a name, creates the world and opens it. */
export function CreateWorld({ namespace: given, onClose }: { namespace: string; onClose: () => void }) {
  const writable = (caller.value?.namespaces ?? []).filter(({ write }) => write).map(({ namespace }) => namespace);
  const [namespace, setNamespace] = useState(writable.includes(given) ? given : (writable[0] ?? given));
  const [label, setLabel] = useState('');
  const [slug, setSlug] = useState<string | undefined>();
  const [description, setDescription] = useState('');
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const name = slug ?? slugOf(label);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await client.createWorld({
        namespace,
        slug: name,
        label: label.trim() || undefined,
        description: description.trim() || undefined,
      });
      if (!writable.includes(namespace)) await refreshCaller();
      worldChanges.value++;
      tell(t.worlds.created(name));
      go(addressOf(['world', namespace, name]));
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog title={t.worlds.create} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <label class="field">
          <span>{t.worlds.label}</span>
          <input
            class="input"
            value={label}
            autofocus
            maxLength={200}
            onInput={(e) => setLabel(e.currentTarget.value)}
          />
        </label>
        <label class="field">
          <span>{t.worlds.name}</span>
          <input
            class="input mono"
            required
            pattern={SLUG}
            value={name}
            spellcheck={false}
            onInput={(e) => setSlug(e.currentTarget.value)}
          />
          <small>{t.worlds.nameHint}</small>
        </label>
        {isAdmin.value && (
          <label class="field">
            <span>{t.worlds.namespace}</span>
            <input
              class="input mono"
              required
              pattern={SLUG}
              list="namespaces"
              value={namespace}
              spellcheck={false}
              onInput={(e) => setNamespace(e.currentTarget.value)}
            />
            <datalist id="namespaces">
              {writable.map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
            <small>{t.worlds.namespaceHint}</small>
          </label>
        )}
        {!isAdmin.value && writable.length > 1 && (
          <label class="field">
            <span>{t.worlds.namespace}</span>
            <select class="select" value={namespace} onChange={(e) => setNamespace(e.currentTarget.value)}>
              {writable.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </label>
        )}
        <label class="field">
          <span>{t.worlds.description}</span>
          <input class="input" value={description} onInput={(e) => setDescription(e.currentTarget.value)} />
        </label>
        {error !== undefined && <ErrorNote error={error} />}
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            {t.cancel}
          </button>
          <button type="submit" class="button primary" disabled={isBusy || name === ''}>
            {t.worlds.createShort}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Suggests a name from a label: letters without accents, digits and hyphens. */
function slugOf(label: string): string {
  return label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._~]+/g, '-')
    .replace(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, 128);
}
