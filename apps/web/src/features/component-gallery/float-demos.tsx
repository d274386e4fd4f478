import { Copy, EllipsisVertical, Forward, Phone, Reply, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { ContextMenu } from '../../ui/context-menu.tsx';
import { CustomButton } from '../../ui/custom-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { Demo, DemoGroup, DemoRow } from './demo.tsx';

function DialogDemo() {
  const { t } = useTranslation('components');
  const [isOpen, setIsOpen] = useState(false);
  return (
    <DemoRow>
      <CustomButton kind="secondary" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {t('demo.openDialog')}
      </CustomButton>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title={t('demo.deleteQuestion')}
        description={t('demo.deleteNote')}
        actions={
          <>
            <CustomButton kind="secondary" onClick={() => setIsOpen(false)}>
              {t('demo.cancel')}
            </CustomButton>
            <CustomButton kind="danger" onClick={() => setIsOpen(false)}>
              {t('demo.delete')}
            </CustomButton>
          </>
        }
      />
    </DemoRow>
  );
}

function DrawerDemo() {
  const { t } = useTranslation('components');
  const [side, setSide] = useState<'right' | 'bottom'>('right');
  const [isOpen, setIsOpen] = useState(false);

  function handleOpen(next: 'right' | 'bottom'): void {
    setSide(next);
    setIsOpen(true);
  }

  return (
    <DemoRow>
      <CustomButton kind="secondary" aria-haspopup="dialog" onClick={() => handleOpen('right')}>
        {t('demo.openDrawer')}
      </CustomButton>
      <CustomButton kind="secondary" aria-haspopup="dialog" onClick={() => handleOpen('bottom')}>
        {t('demo.openSheet')}
      </CustomButton>
      <Drawer isOpen={isOpen} onOpenChange={setIsOpen} side={side} title={t('demo.details')}>
        <p className="text-muted">{t('demo.detailsText')}</p>
      </Drawer>
    </DemoRow>
  );
}

export function FloatDemos() {
  const { t } = useTranslation('components');
  const [chosen, setChosen] = useState('');
  const items = [
    {
      label: t('demo.reply'),
      icon: <Reply aria-hidden className="size-4.5" />,
      onSelect: () => setChosen(t('demo.reply')),
    },
    {
      label: t('demo.copy'),
      icon: <Copy aria-hidden className="size-4.5" />,
      onSelect: () => setChosen(t('demo.copy')),
    },
    {
      label: t('demo.forward'),
      icon: <Forward aria-hidden className="size-4.5" />,
      isDisabled: true,
      onSelect: () => setChosen(t('demo.forward')),
    },
    {
      label: t('demo.delete'),
      icon: <Trash2 aria-hidden className="size-4.5" />,
      isDangerous: true,
      onSelect: () => setChosen(t('demo.delete')),
    },
  ];
  return (
    <DemoGroup title={t('groups.float')}>
      <Demo name="dialog" text={t('parts.dialog')}>
        <DialogDemo />
      </Demo>
      <Demo name="drawer" text={t('parts.drawer')}>
        <DrawerDemo />
      </Demo>
      <Demo name="menu" text={t('parts.menu')}>
        <DemoRow>
          <Menu
            label={t('demo.more')}
            icon={<EllipsisVertical aria-hidden className="size-5" />}
            listItems={() => items}
          />
          <span role="status" className="text-small text-muted">
            {chosen}
          </span>
        </DemoRow>
      </Demo>
      <Demo name="context-menu" text={t('parts.contextMenu')}>
        <ContextMenu listItems={() => items}>
          <div className="ornament flex min-h-24 items-center justify-center overflow-hidden rounded-control bg-paper px-4 text-center text-small text-muted">
            {t('demo.pressHere')}
          </div>
        </ContextMenu>
      </Demo>
      <Demo name="tooltip" text={t('parts.tooltip')}>
        <DemoRow>
          <Tooltip text={t('demo.tooltip')}>
            <CustomButton kind="secondary" icon={<Phone aria-hidden className="size-5" />}>
              {t('demo.call')}
            </CustomButton>
          </Tooltip>
        </DemoRow>
      </Demo>
      <Demo name="tabs" text={t('parts.tabs')}>
        <Tabs
          label={t('demo.details')}
          tabs={[
            { value: 'media', label: t('demo.media'), content: t('demo.mediaText') },
            { value: 'files', label: t('demo.files'), content: t('demo.filesText') },
            { value: 'links', label: t('demo.links'), content: t('demo.linksText') },
          ]}
        />
      </Demo>
    </DemoGroup>
  );
}
