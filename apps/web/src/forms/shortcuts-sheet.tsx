import { Fragment } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { useSettings } from '../core/lib/settings.ts';
import { Dialog } from '../ui/dialog.tsx';

interface ShortcutsSheetProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

const groups = [
  { name: 'everywhere', keys: ['show', 'cancel'] },
  { name: 'writing', keys: ['send', 'line', 'edit', 'bold', 'italic'] },
  { name: 'reading', keys: ['move', 'last', 'reply', 'copy', 'forward', 'delete', 'menu'] },
] as const;

type Act = (typeof groups)[number]['keys'][number];

const press: Record<Act, readonly string[]> = {
  show: ['?'],
  cancel: ['Esc'],
  send: ['Enter'],
  line: ['Shift', 'Enter'],
  edit: ['↑'],
  bold: ['Ctrl', 'B'],
  italic: ['Ctrl', 'I'],
  move: ['↑', '↓'],
  last: ['End'],
  reply: ['R'],
  copy: ['C'],
  forward: ['F'],
  delete: ['Delete'],
  menu: ['Shift', 'F10'],
};

/** The list of keyboard shortcuts. */
export function ShortcutsSheet({ isOpen, onOpenChange }: ShortcutsSheetProps) {
  const { t } = useTranslation('preferences');
  const { sendKey } = useSettings();
  // If Ctrl+Enter sends, Enter alone adds a line.
  const chosen: typeof press = sendKey === 'enter' ? press : { ...press, send: ['Ctrl', 'Enter'], line: ['Enter'] };
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title={t('shortcuts.title')}>
      {groups.map(({ name, keys }) => (
        <Fragment key={name}>
          <h3 className="mt-5 mb-1 text-small font-semibold text-muted">{t(`shortcuts.groups.${name}`)}</h3>
          <dl className="divide-y divide-line">
            {keys.map((act) => (
              <div key={act} className="flex items-center justify-between gap-4 py-2">
                <dt>{t(`shortcuts.${act}`)}</dt>
                <dd className="flex shrink-0 gap-1">
                  {chosen[act].map((key) => (
                    <kbd key={key} className="rounded-control border border-line bg-surface-2 px-2 py-0.5 text-small">
                      {key}
                    </kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </Fragment>
      ))}
    </Dialog>
  );
}
