import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { matchesName } from '../../../core/messenger/matches-name.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { CustomInput } from '../../../ui/custom-input.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ListRow } from '../../../ui/list-row.tsx';

interface ForwardDialogProps {
  people: readonly { id: string; name: string }[];
  onChoose: (id: string) => void;
  onClose: () => void;
}

export function ForwardDialog({ people, onChoose, onClose }: ForwardDialogProps) {
  const { t } = useTranslation('chat');
  const [wanted, setWanted] = useState('');
  const found = people.filter(({ name }) => matchesName(name, wanted));
  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title={t('forward.title')}>
      <div className="mt-4">
        <CustomInput
          label={t('forward.search')}
          type="search"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
      </div>
      <ul className="mt-3 max-h-[50dvh] overflow-y-auto">
        {found.map(({ id, name }) => (
          <li key={id}>
            <ListRow leading={<Avatar accountId={id} name={name} />} title={name} onPress={() => onChoose(id)} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
