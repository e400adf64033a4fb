import type { World } from '@rdf-worlds/core';
import { useState } from 'preact/hooks';
import { addressOf, go } from '../../router.ts';
import { client } from '../../session/service.ts';
import { worldChanges } from '../../session/world-names.ts';
import { worldSize } from '../../session/world-size.ts';
import { t } from '../../texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { count } from '../../ui/numbers.ts';
import { tell } from '../../ui/toasts.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';

interface ChangeProps {
  readonly world: World;
  readonly onClose: () => void;
}

/** Changes what a world is called for people; its name in addresses stays. */
export function RenameWorld({ world, onClose }: ChangeProps) {
  const [label, setLabel] = useState(world.label ?? '');
  const [description, setDescription] = useState(world.description ?? '');
  const [error, setError] = useState<unknown>();
  const source = `${world.namespace}/${world.slug}`;
  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      await client.updateWorld({ source, label: label.trim(), description: description.trim() || null });
      worldChanges.value++;
      tell(t.world.renamed);
      onClose();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Dialog title={t.world.rename} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <label class="field">
          <span>{t.worlds.label}</span>
          <input class="input" value={label} autofocus onInput={(event) => setLabel(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>{t.worlds.description}</span>
          <input class="input" value={description} onInput={(event) => setDescription(event.currentTarget.value)} />
        </label>
        <p class="muted">{t.world.renameHint(world.slug)}</p>
        {error !== undefined && <ErrorNote error={error} />}
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            {t.cancel}
          </button>
          <button type="submit" class="button primary">
            {t.save}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Deletes a world once its name was typed. */
export function DeleteWorld({ world, onClose }: ChangeProps) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const { namespace, slug } = world;
  const size = useLoaded(() => worldSize(world), [world]);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await client.deleteWorld({ source: `${namespace}/${slug}` });
      worldChanges.value++;
      tell(t.world.deleted(slug));
      go(addressOf(['worlds'], { namespace }));
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog title={t.world.deleteTitle(slug)} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p>{t.world.deleteHint(size.value === undefined ? '…' : count(size.value))}</p>
        <label class="field">
          <span>{t.world.typeName(slug)}</span>
          <input
            class="input mono"
            value={typed}
            autofocus
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        {error !== undefined && <ErrorNote error={error} />}
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            {t.cancel}
          </button>
          <button type="submit" class="button danger" disabled={typed !== slug || isBusy}>
            {t.world.delete}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
